import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attack, give, type Stage } from './stage.ts'

/** The main processes of the panel and its services, which no signal of a customer's may end. */
const services = ({ run }: Stage): string =>
  run(
    'sh',
    '-c',
    "ps -eo pid,user,args | grep -E 'nginx: master|pdns_server|panel.(ts|js) start|php-fpm: master' | grep -v grep | sort",
  )
    .output.split('\n')
    // The attacker's own PHP may end with what it does to itself.
    .filter((line) => !/php-fpm|bwrap/.test(line))
    .join('\n')

const everyFile = ({ run, data, web, dns, attacker }: Stage): string[] =>
  run(
    'find',
    data,
    web,
    dns,
    '-type',
    'f',
    '-not',
    '-path',
    `${join(attacker.root, '../..')}/*`,
    '-not',
    '-path',
    '*/.bun/*',
  )
    .output.split('\n')
    .filter(Boolean)
    .slice(0, 1_500)

let running = ''

export const SECRETS: Attack[] = [
  {
    name: 'of the panel’s own files none with a secret opens, known by name as they are',
    first: (stage) => give(stage, stage.attacker, 'nombres', everyFile(stage).join('\n')),
    order: () => 'xargs -d "\\n" -a nombres ./take read libre/abierto.txt; grep -c . nombres',
    can: /got libre\/abierto\.txt: propio[\s\S]*\n[1-9]\d+\n/,
  },
  {
    name: 'a search of the whole machine finds no secret',
    order: ({ secret, told }) =>
      `printf '%s\\n' ${secret} ${told} 'PRIVATE KEY' enlace# cpt_ >/dev/shm/.patrones || printf '%s\\n' ${secret} ${told} >tmp.patrones
      for d in /etc /run /var/lib /var/tmp /var/log /srv /home /root /mnt /tmp /dev/shm /boot ..; do timeout 3 grep -rslE --exclude=.patrones --exclude=botin -D skip '${secret}|${told}|BEGIN [A-Z ]*PRIVATE KEY-----' $d; done | sed 's/^/found /'
      rm -f /dev/shm/.patrones; echo searched`,
    can: 'searched',
    never: /^found /,
  },
  {
    name: 'no process of root’s or of a service is seen',
    order: () => './take processes',
    can: /process own \d+/,
    never: /^process other (?!1$)/,
  },
  {
    name: 'no process of another user is attached to, nor gives a descriptor away',
    order: () => 'sleep 1 & ./take processes',
    can: /own got \S+\/environ/,
    never: /^other got (?:attached|file|\S+\/(?:environ|mem|maps|root\S*|auxv|stack))/,
  },
  {
    name: 'a signal to everybody ends none of the panel’s services',
    first: (stage) => {
      running = services(stage)
    },
    order: () =>
      'perl -e \'my %up = ($$ => 1); for (my $n = $$; $n > 1;) { open my $f, "<", "/proc/$n/stat" or last; $n = (split / /, (<$f> =~ s/.*\\) //sr))[1]; $up{$n} = 1 } for my $n (1 .. 32768) { kill 9, $n unless $up{$n} }\'; echo sent',
    can: 'sent',
    outside(stage) {
      expect(running).toContain('nginx: master')
      expect(services(stage)).toBe(running)
    },
  },
  {
    name: 'no device opens but those that hold nothing',
    order: () => 'perl gather.pl devices',
    can: /opened \/dev\/null/,
    never: /opened /,
    // No terminals: all cages together have as many as one can take (kernel.pty.max).
    except: /opened \/dev\/(?:null|zero|full|u?random|tty) /,
  },
  {
    name: 'the kernel grants a customer none of the calls that a page does not need',
    order: () => './kernel; echo asked',
    can: /refused mount[\s\S]*asked/,
    never: /^granted /,
  },
  {
    name: 'no program that runs as its owner, no capability and no way back to root is left',
    order: () =>
      `grep -E 'NoNewPrivs|Seccomp:|CapEff|CapPrm|CapBnd|CapAmb|Groups' /proc/self/status
      for p in $(timeout 3 find /usr/bin /usr/sbin /usr/lib/openssh /usr/libexec -xdev -perm /6000 -type f 2>/dev/null); do case $p in */su) timeout 1 $p -c id;; */mount) $p -t tmpfs none /mnt && echo mounted;; */unix_chkpwd) echo x | timeout 1 $p root nullok && echo granted;; esac; done </dev/null
      timeout 1 crontab -l; echo '* * * * * id' | timeout 1 crontab - && echo planted; timeout 1 sudo -n id; timeout 1 newgrp root; id -u`,
    can: /NoNewPrivs:\t1/,
    never:
      /uid=0|mounted|planted|granted|^Cap(?:Eff|Prm|Bnd|Amb):\t0*[1-9a-f]|^Seccomp:\t0|^Groups:\t *[0-9].*[0-9] [0-9]/,
  },
  {
    name: 'a program in an own site that belongs to root and runs as its owner runs as the customer',
    first: ({ run, attacker }) =>
      run('install', '-m', '4755', '/usr/bin/id', join(attacker.root, 'identidad')),
    order: () => './identidad -u; echo tried',
    can: /^[1-9]\d+\ntried/m,
    never: /^0$/,
  },
  {
    name: 'a program is handed neither a secret nor a descriptor of the panel’s or the keeper’s',
    order: () =>
      'tr "\\0" "\\n" </proc/self/environ; tr "\\0" "\\n" </proc/$PPID/environ; env; ./take inherited; cat /proc/self/mountinfo | head -40; echo own',
    can: /fd 1 [\s\S]*\nown/,
    never:
      /^(?:PANEL_|LISTEN_|NOTIFY_|CREDENTIALS_|HOME=\/root|.*(?:clave|keys|panel\.db))|^fd \d+ (?:\/|socket:\[\d+\] listens|.*keeper)/,
    except: ({ attacker: { clientId } }) =>
      new RegExp(`/c/${clientId}/|/dev/null|/proc|/${clientId}\\.s(?:\\.n)?$`),
  },
  {
    name: 'no socket of the panel, the keeper, systemd or another customer’s PHP lets a customer in',
    order: ({ web, victim, attacker, data }) =>
      `perl gather.pl sockets ${['/run/systemd/private', '/run/systemd/journal/socket', '/run/systemd/journal/stdout', '/run/systemd/notify', '/run/dbus/system_bus_socket', '/dev/log', '/run/systemd/io.systemd.DynamicUser', '/var/run/pdns.controlsocket'].join(' ')} $(timeout 2 find /run /var /tmp /dev /srv -xdev -type s 2>/dev/null) ${[web, data].flatMap((base) => ['keeper.s', 'run/keeper.sock', 'f/keeper', 'run/control'].map((name) => join(base, name))).join(' ')} ${[victim, attacker].map(({ clientId }) => `${web}/f/8.2/b0/${clientId}.s`).join(' ')}`,
    can: /tried \d+/,
    never: /^connected /,
    // Databases are every customer's to connect to, and know it by its Unix user (test/bases).
    except: /connected @left-mio|connected \S*libre\/socket|connected \S*\/mariadb\/run\/mysqld\.sock$/,
  },
  {
    name: 'a program that crashes leaves no core outside of what is its customer’s own',
    order: () =>
      "ulimit -c unlimited; bash -c 'kill -SEGV $$'; bash -c 'kill -ABRT $$' ; perl -e 'kill SEGV => getppid'; echo; ls core* /tmp/core* /var/crash/* 2>/dev/null | sed \"s/^/found /\"; ulimit -Hc; echo crashed",
    can: 'crashed',
    outside: ({ run, data, web, attacker }) =>
      expect(
        run(
          'find',
          data,
          web,
          '/tmp',
          '/var/crash',
          '-maxdepth',
          '6',
          '-name',
          'core*',
          '-type',
          'f',
          '-newermt',
          '-20 seconds',
          '-not',
          '-path',
          `${join(attacker.root, '../..')}/*`,
        ).output,
      ).toBe(''),
  },
  {
    name: 'the kernel’s settings and the control groups are nobody’s to change, and name no other customer',
    order: () =>
      `for f in $(timeout 4 find /sys /proc/sys -type f -writable 2>/dev/null | head -50); do echo writable $f; done
      for g in $(cut -d: -f3 /proc/self/cgroup | sort -u); do for r in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/pids /sys/fs/cgroup/memory /sys/fs/cgroup/cpu; do for f in memory.max pids.max cpu.max cgroup.procs memory.limit_in_bytes; do [ -e $r$g/$f ] && { echo max >$r$g/$f && echo changed $r$g/$f; echo -1 >$r$g/$f && echo changed $r$g/$f; }; done; mkdir $r$g/mio && echo changed made $r$g/mio; echo $$ >$r/cgroup.procs && echo changed left $r; done; done 2>/dev/null
      timeout 3 find /sys/fs/cgroup -name '*victima*' -o -name '*cliente*' -o -name 'cp[0-9]*' 2>/dev/null | sed 's/^/named /' | head -5; cat /proc/self/cgroup; echo searched`,
    can: 'searched',
    // Any process may open it; what it writes there the kernel refuses.
    except: /ns_last_pid/,
    never: /^(?:writable|changed|named) /,
  },
  {
    name: 'who else is on the machine is told by no list of users, mounts, sockets or logs',
    order: ({ victim }) =>
      `getent passwd; cat /etc/passwd /etc/group /etc/hosts /etc/hostname; ls /home /srv /var/log /var/mail; cat /var/log/*log /proc/mounts; last; who; id ${victim.uid} 2>/dev/null | sed 's/^/known /'; echo told`,
    can: 'told',
    never: /victima|known uid=\d+\(/,
  },
  {
    name: 'nothing that a program says beside its answer stands in the web server’s log, where it could pass for a line of others',
    php: () =>
      `error_log("x\\n2026/11/23 15:00:00 [crit] 1#1: *1 FORGED, host: victima.es", 4); echo 'propio-dicho';`,
    can: 'propio-dicho',
    outside: ({ at, web }) =>
      expect(readFileSync(at(join(web, 'log/nginx-error.log')), 'latin1')).not.toContain('FORGED'),
  },
]
