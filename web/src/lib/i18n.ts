import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { createStore } from './store.ts'

export type Language = 'en' | 'da'
export const languageNames: Record<Language, string> = { en: 'English', da: 'Dansk' }

const languageKey = 'GM_LANGUAGE'
const stored = (): Language => (localStorage.getItem(languageKey) === 'da' ? 'da' : 'en')

const languageStore = createStore<Language>('en')

const show = async (language: Language) => {
  if (language === 'da' && !i18next.hasResourceBundle('da', 'translation')) {
    const { da } = await import('#i18n/da.ts')
    i18next.addResourceBundle('da', 'translation', da)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  languageStore.set(language)
}

/** A sentence of the contract that holds a number is in the dictionary with `{{n}}` in its place. */
const withNumber = {
  type: 'postProcessor' as const,
  name: 'with-number',
  process: (shown: string): string => {
    const number = /\d+/.exec(shown)?.[0]
    const key = number === undefined ? undefined : shown.replace(number, '{{n}}')
    return key !== undefined && i18next.exists(key) ? i18next.t(key, { n: number, applyPostProcessor: false }) : shown
  },
}

/** English sentences are the keys, so English needs no dictionary. Dates and numbers are Danish in both languages. */
export const startI18n = async () => {
  await i18next
    .use(initReactI18next)
    .use(withNumber)
    .init({
      lng: 'en',
      fallbackLng: false,
      resources: { en: { translation: {} } },
      nsSeparator: false,
      keySeparator: false,
      returnEmptyString: false,
      postProcess: [withNumber.name],
      interpolation: { escapeValue: false },
    })
  if (stored() === 'da') await show('da')
}

export const chooseLanguage = async (language: Language) => {
  localStorage.setItem(languageKey, language)
  await show(language)
}
