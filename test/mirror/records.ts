import type { RRset } from '../../lib/endpoint/node-port.ts'
import { OURS } from '../support/providers/panel.ts'

const set = (name: string, type: string, ...values: string[]): RRset => ({ name, type, ttl: 3600, values })

export const NS = set('@', 'NS', 'ns1.panel.test.', 'ns2.panel.test.')

/** A small zone as a template makes it. */
export const SMALL: RRset[] = [
  NS,
  set('@', 'A', OURS),
  set('www', 'A', OURS),
  set('@', 'MX', '10 mail.ejemplo.es.'),
]

/** One record set of every type that the panel serves, and the shapes of TXT that broke others. */
export const EVERY: RRset[] = [
  NS,
  set('@', 'A', OURS, '192.0.2.11'),
  set('@', 'AAAA', '2001:db8::10'),
  set('@', 'CAA', '0 issue "ca.example.net; policy=ev"', '0 iodef "mailto:a@ejemplo.es"'),
  set('@', 'MX', '10 mail.ejemplo.es.', '20 mx.other.net.'),
  set('@', 'HTTPS', '1 . alpn=h2,h3 ipv4hint=192.0.2.10'),
  set('*.wild', 'A', OURS),
  set('www', 'CNAME', 'ejemplo.es.'),
  set('sub', 'NS', 'ns1.other.net.'),
  set('sub', 'DS', '12345 13 2 1f987cc6583e92df0890718c42d4f8b1a4e9c3b2d5e6f708192a3b4c5d6e7f80'),
  set('ptr', 'PTR', 'host.other.net.'),
  set('_sip._tcp', 'SRV', '10 60 5060 sip.ejemplo.es.', '20 0 5060 .'),
  set('_443._tcp', 'TLSA', '3 1 1 0c72ac70b745ac19998811b131d662c9ac69dbdbe7cb23e5b514b56664c5d3d6'),
  set('host', 'SSHFP', '4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789'),
  set(
    'naptr',
    'NAPTR',
    '100 10 "S" "SIP+D2U" "" _sip._udp.ejemplo.es.',
    '100 20 "U" "E2U+sip" "!^.*$!sip:info@ejemplo.es!" .',
  ),
  set('_svc', 'SVCB', '2 svc.ejemplo.es. alpn=h2 port=8443'),
  set('_ftp._tcp', 'URI', '10 1 "ftp://ftp.ejemplo.es/public"'),
  set('plain', 'TXT', '"v=spf1 include:_spf.other.net -all"'),
  set('quotes', 'TXT', '"say \\"hi\\" \\\\ done"'),
  set('octets', 'TXT', '"caf\\195\\169 \\001\\127 ; end"'),
  set('empty', 'TXT', '""'),
  set('strings', 'TXT', '"first" "second"'),
  set('long', 'TXT', `"${'a'.repeat(255)}" "${'b'.repeat(200)}"`),
  set('_dmarc', 'TXT', '"v=DMARC1; p=none"', '"second record"'),
]

/** What Hetzner's API cannot hold of `EVERY`. */
export const NOT_AT_HETZNER = ['NAPTR', 'SSHFP', 'URI']
