import { t } from '#lib/i18n.ts'

const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (table: [RegExp, string][], userAgent: string) =>
  table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null

export type Device = { browser: string | null; system: string | null; phone: boolean }

/** Browser and system of a user agent; another program by its first word (`curl/8.5` -> `curl`). */
export const deviceOf = (userAgent: string | null): Device => {
  const text = userAgent ?? ''
  const system = nameIn(systems, text)
  const program = /^(?!Mozilla\b)[A-Za-z][\w.-]*/.exec(text)?.[0] ?? null
  return {
    browser: nameIn(browsers, text) ?? program,
    system,
    phone: system === 'iPhone' || (system === 'Android' && /\bMobile\b/.test(text)),
  }
}

export const deviceName = ({ userAgent }: { userAgent: string | null }): string => {
  const { browser, system } = deviceOf(userAgent)
  if (browser && system) return t('{{browser}} on {{system}}', { browser, system })
  return browser ?? system ?? t('Unknown browser')
}
