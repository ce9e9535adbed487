import { texts } from './texts.ts'

/** Browsers by what they call themselves; those that claim to be another come before it. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
]

/**
 * A `User-Agent` (RFC 9110, section 10.1.5) in words that its owner knows: "Firefox, Windows". It is
 * what the caller says of itself, so it helps to recognise a session and proves nothing.
 */
export function deviceOf(agent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((names) => names.find(([sign]) => sign.test(agent))?.[1] ?? [])
  if (found.length > 0) return found.join(', ')
  return agent.slice(0, 40) || texts.unknownProgram
}
