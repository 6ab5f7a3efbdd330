import { figuresOf } from '@gridmast/contract/messages.ts'
import type { Language } from '@gridmast/contract/user.ts'
import i18next from 'i18next'
import { initReactI18next, useTranslation as useLibrary } from 'react-i18next'
import type { Sentence } from '#i18n/da.ts'

export const languageNames: Record<Language, string> = { en: 'English', da: 'Dansk' }

type Values = Record<string, string | number>
/** A sentence of the portal; one that `i18n/da/` does not have does not compile. */
export type TFunction = (sentence: Sentence, values?: Values) => string

const languageKey = 'GM_LANGUAGE'
const stored = (): Language => (localStorage.getItem(languageKey) === 'da' ? 'da' : 'en')

const show = async (language: Language) => {
  if (language === 'da' && !i18next.hasResourceBundle('da', 'translation')) {
    const { da } = await import('#i18n/da.ts')
    i18next.addResourceBundle('da', 'translation', da)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** English sentences are the keys, so English needs no dictionary. Dates and numbers are Danish in both languages. */
export const startI18n = async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: false,
    resources: { en: { translation: {} } },
    nsSeparator: false,
    keySeparator: false,
    returnEmptyString: false,
    interpolation: { escapeValue: false },
  })
  if (stored() === 'da') await show('da')
}

export const chooseLanguage = async (language: Language) => {
  localStorage.setItem(languageKey, language)
  await show(language)
}

/** What the server, the customer or a library wrote: in the reader's language where the portal knows the sentence, else as it stands. */
export const say = (text: string): string => {
  const { key, values } = figuresOf(text) ?? { key: text, values: {} }
  return i18next.t(key, values)
}

/** `t` for sentences of the portal, `say` for those that come from elsewhere. */
export const useTranslation = (): { t: TFunction; say: typeof say; language: Language } => {
  const { t, i18n } = useLibrary()
  // Typed by the dictionary: an error of the library's own types lists 800 sentences in six overloads.
  return { t: t as unknown as TFunction, say, language: i18n.language === 'da' ? 'da' : 'en' }
}
