import { ask, failure, type AskOptions, type Failure } from '#connectors/fetch-text.ts'
import { BadXml, parseXml, type Element } from '#connectors/xml.ts'

export const ratesSource = 'european-central-bank'

/** DKK for one EUR on a banking day, as decimal text. */
export type Rate = { day: string; dkkPerEur: string }
type FetchedRates = ({ ok: true; httpStatus: number; rates: Rate[] } | Failure) & { url: string }

/** Far outside the band of the krone: an error of the source. */
const plausible = { min: 6, max: 9 }

/** Daily rates of the krone in the bank's reference rates (daily, 90 days or full history: one format). */
export const parseRates = (text: string): Rate[] => {
  const days: Element[] = []
  const look = (element: Element) => {
    if (element.name === 'Cube' && element.attributes.has('time')) days.push(element)
    for (const child of element.children) look(child)
  }
  look(parseXml(text))
  const rates = days.flatMap((day) => {
    const krone = day.children.find((child) => child.attributes.get('currency') === 'DKK')
    if (!krone) return []
    const rate = { day: day.attributes.get('time') ?? '', dkkPerEur: krone.attributes.get('rate') ?? '' }
    const value = Number(rate.dkkPerEur)
    if (!/^\d{4}-\d\d-\d\d$/.test(rate.day) || Number.isNaN(Date.parse(rate.day)))
      throw new BadXml(`not a day: ${rate.day}`)
    if (!/^\d+(\.\d+)?$/.test(rate.dkkPerEur) || value < plausible.min || value > plausible.max)
      throw new BadXml(`not a rate of the krone: ${rate.dkkPerEur}`)
    return [rate]
  })
  if (rates.length === 0) throw new BadXml('no rate of the krone')
  return rates
}

export const fetchRates = async (url: string, options: AskOptions = {}): Promise<FetchedRates> => {
  const answer = await ask(new URL(url), { accept: 'application/xml, text/xml', ...options })
  if (!answer.ok) return { ...answer, url }
  const { httpStatus } = answer
  try {
    return { ok: true, httpStatus, url, rates: parseRates(answer.text) }
  } catch (error) {
    if (!(error instanceof BadXml)) throw error
    return { ...failure('schema', error.message, httpStatus), url }
  }
}
