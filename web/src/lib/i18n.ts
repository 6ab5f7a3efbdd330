import { figuresOf } from '@gridmast/contract/messages.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import i18next from 'i18next'
import { initReactI18next, useTranslation as useLibrary } from 'react-i18next'
import type { PluralSentence, Sentence } from '#i18n/da.ts'
import { en } from '#i18n/en.ts'
import { reloadFor } from './missing-files.ts'
import { deviceStorage } from './storage.ts'

export const languageNames: Record<Language, string> = { en: 'English', da: 'Dansk' }

type Values = Record<string, string | number>
/** A sentence of the portal; one that `i18n/da/` does not have does not compile. `count` chooses between one and more, and is written as every number is. */
export type TFunction = {
  (sentence: PluralSentence, values: Values & { count: number }): string
  (sentence: Sentence, values?: Values): string
}

const languageKey = 'GM_LANGUAGE'
const stored = (): Language => (deviceStorage.read(languageKey) === 'da' ? 'da' : 'en')

const addDanish = (sentences: Record<string, string>) =>
  void i18next.addResourceBundle('da', 'translation', sentences, true, true)
const readFirst = async () => addDanish((await import('#i18n/da-first.ts')).daFirst)
const readRest = async () => addDanish((await import('#i18n/da-rest.ts')).daRest)

/** The words of pages beyond the first load; English needs none. */
export const readWords = async (): Promise<void> => {
  if (i18next.language === 'da') await readRest()
}

let wanted: Language = 'en'
const show = async (language: Language, wordsOf: 'first' | 'all') => {
  wanted = language
  if (language === 'da') await Promise.all([readFirst(), wordsOf === 'all' ? readRest() : null])
  if (wanted !== language) return // another was chosen while the words were read
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** English sentences are the keys, so English needs no dictionary. Dates and numbers are Danish in both languages. */
export const startI18n = async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: false,
    resources: { en: { translation: en } },
    nsSeparator: false,
    keySeparator: false,
    returnEmptyString: false,
    interpolation: { escapeValue: false },
  })
  window.addEventListener('storage', ({ key }) => key === languageKey && void show(stored(), 'all').catch(reloadFor))
  if (stored() === 'da') await show('da', 'first').catch(reloadFor)
}

export const chooseLanguage = async (language: Language) => {
  deviceStorage.write(languageKey, language)
  await show(language, 'all').catch(reloadFor)
}

/** A sentence of the contract, the server or a device in the reader's language, else unchanged. Never for text that a customer wrote: a name may be a sentence too. */
export const say = (text: string): string => {
  const figured = figuresOf(text)
  return figured ? i18next.t(figured.key, figured.values) : i18next.t(text, { skipInterpolation: true })
}

const translate =
  (language: Language): TFunction =>
  (sentence: Sentence | PluralSentence, values?: Values) => {
    const count = values?.['count']
    const replace = typeof count === 'number' ? { ...values, count: formatNumber(count, { decimals: 0 }) } : values
    return i18next.t(sentence, { ...values, replace, lng: language })
  }
const translations = { en: translate('en'), da: translate('da') }

/** `t` for sentences of the portal, `say` for those of the server and of devices. */
export const useTranslation = (): { t: TFunction; say: typeof say; language: Language } => {
  const { i18n } = useLibrary()
  const language = i18n.language === 'da' ? 'da' : 'en'
  return { t: translations[language], say, language }
}
