import { figuresOf } from '@gridmast/contract/messages.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import i18next from 'i18next'
import type { PluralSentence, Sentence } from '#i18n/da.ts'
import { en } from '#i18n/en.ts'
import { reloadFor } from './missing-files.ts'
import { deviceStorage } from './storage.ts'
import { createStore, useStore } from './store.ts'

export const languageNames: Record<Language, string> = { en: 'English', da: 'Dansk' }

type Values = Record<string, string | number>
/** A sentence that `i18n/da/` does not have does not compile. `count` chooses between one and more, and is written as every number is. */
type TFunction = {
  (sentence: PluralSentence, values: Values & { count: number }): string
  (sentence: Sentence, values?: Values): string
}

const languageKey = 'GM_LANGUAGE'
const stored = (): Language => (deviceStorage.read(languageKey) === 'da' ? 'da' : 'en')

// English sentences are the keys, so English needs no dictionary. Dates and numbers are Danish in both languages.
void i18next.init({
  lng: 'en',
  initAsync: false,
  fallbackLng: false,
  resources: { en: { translation: en } },
  nsSeparator: false,
  keySeparator: false,
  returnEmptyString: false,
  interpolation: { escapeValue: false },
})

const addDanish = (sentences: Record<string, string>) =>
  void i18next.addResourceBundle('da', 'translation', sentences, true, true)
const readFirst = async () => addDanish((await import('#i18n/da-first.ts')).daFirst)
const readRest = async () => addDanish((await import('#i18n/da-rest.ts')).daRest)

/** The words of pages beyond the first load; English needs none. */
export const readWords = async (): Promise<void> => {
  if (currentLanguage() === 'da') await readRest()
}

const languageStore = createStore<Language>('en')
export const currentLanguage = languageStore.get
/** For the root of the tree, which is mounted again when the language changes. */
export const useLanguage = () => useStore(languageStore)

let wanted: Language = 'en'
const show = async (language: Language, wordsOf: 'first' | 'all') => {
  wanted = language
  if (language === 'da') await Promise.all([readFirst(), wordsOf === 'all' ? readRest() : null])
  if (wanted !== language) return // another was chosen while the words were read
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  languageStore.set(language)
}

export const startI18n = async () => {
  window.addEventListener('storage', ({ key }) => key === languageKey && void show(stored(), 'all').catch(reloadFor))
  if (stored() === 'da') await show('da', 'first').catch(reloadFor)
}

export const chooseLanguage = async (language: Language) => {
  deviceStorage.write(languageKey, language)
  await show(language, 'all').catch(reloadFor)
}

/** A sentence of the contract, the server or a device in the reader's language, else unchanged. Never for text that a customer wrote: a name may be a sentence too. */
export const translateText = (text: string): string => {
  const figured = figuresOf(text)
  return figured ? i18next.t(figured.key, figured.values) : i18next.t(text, { skipInterpolation: true })
}

/** A sentence of the portal. Never called while a module loads: the language is chosen later, and changes. */
export const t: TFunction = (sentence: Sentence | PluralSentence, values?: Values) => {
  const count = values?.['count']
  const replace = typeof count === 'number' ? { ...values, count: formatNumber(count, { decimals: 0 }) } : values
  return i18next.t(sentence, { ...values, replace })
}
