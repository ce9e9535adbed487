/** The interface's own line icons: a grid of 16, one stroke, no fill. They never carry meaning alone. */
const PATHS = {
  overview: 'M2.5 9.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4z',
  clients: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8zM2.5 13.5c.6-2.3 2.7-3.5 5.5-3.5s4.9 1.2 5.5 3.5',
  sites: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M4.5 5h.01M6.5 5h.01',
  plans: 'M3 4.5h10M3 8h7M3 11.5h4M12 10v4M10 12h4',
  databases:
    'M13 4c0 1.1-2.2 2-5 2s-5-.9-5-2 2.2-2 5-2 5 .9 5 2zM3 4v4c0 1.1 2.2 2 5 2s5-.9 5-2V4M3 8v4c0 1.1 2.2 2 5 2s5-.9 5-2V8',
  zones: 'M8 2.5v3M8 5.5h-4.5v3M8 5.5h4.5v3M2 8.5h3v3h-3zM11 8.5h3v3h-3zM6.5 8.5h3v3h-3zM8 5.5v3',
  mirror: 'M8 2v12M6 5l-3.5 3L6 11zM10 5l3.5 3L10 11z',
  token: 'M9.5 6.5a3 3 0 1 0-1.6 2.65L9.5 10.75h1.5v1.5h1.5v1.25H14v-2L9.1 8.1a3 3 0 0 0 .4-1.6zM5.5 5.5h.01',
  persons:
    'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM1.5 13c.5-2 2.2-3.25 4.5-3.25s4 1.25 4.5 3.25M10.5 3.2a2.25 2.25 0 0 1 0 4.1M12 10.2c1.3.5 2.2 1.5 2.5 2.8',
  audit: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  jobs: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 2.5v2.5H11M8 5v3l2 1.5',
  node: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01M8 5h3M8 11h3',
  account:
    'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4.2 12.5c.7-1.4 2-2.2 3.8-2.2s3.1.8 3.8 2.2',
  usage: 'M2.5 13.5h11M4 11V8M8 11V4M12 11V6',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8l3 3',
  folder: 'M2 4h4.5L8 5.5h6v7H2z',
  file: 'M4 2h5.5L12 4.5V14H4zM9.5 2v2.5H12',
  link: 'M7 9l2-2M6 7L4.5 8.5a2.1 2.1 0 0 0 3 3L9 10M10 9l1.5-1.5a2.1 2.1 0 0 0-3-3L7 6',
  more: 'M4 8h.01M8 8h.01M12 8h.01',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  chevron: 'M6 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  language:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z',
  out: 'M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3',
  wire: 'M2 5h9M8.5 2.5L11 5 8.5 7.5M14 11H5M7.5 8.5L5 11l2.5 2.5',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3z',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M6.7 7v4M9.3 7v4',
  undo: 'M5.5 3L2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6',
  download: 'M8 2.5v8M4.5 7.5L8 11l3.5-3.5M2.5 13.5h11',
  upload: 'M8 11V3M4.5 6.5L8 3l3.5 3.5M2.5 13.5h11',
  sync: 'M13.5 6.5A5.5 5.5 0 0 0 3 5.5M2.5 3v3h3M2.5 9.5A5.5 5.5 0 0 0 13 10.5M13.5 13v-3h-3',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  mail: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5',
  bell: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.6 1.6 0 0 0 3 0',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5l7.5 4.5L5 12.5z',
  external: 'M9 2.5h4.5V7M13.5 2.5L8 8M6.5 3.5h-4v10h10v-4',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon; the words beside it say what it stands for. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The mark of the panel: a rack with one unit lit. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0b5d72" />
      <path d="M8 9h16M8 16h9M8 23h16" stroke="#a6cfda" strokeWidth="3" strokeLinecap="round" />
      <circle cx="23" cy="16" r="2.5" fill="#ffd479" />
    </svg>
  )
}
