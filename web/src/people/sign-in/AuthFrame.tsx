import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { languages } from '@gridmast/contract/people/user.ts'
import { chooseLanguage, currentLanguage, languageNames, t } from '#lib/i18n.ts'
import classes from './AuthFrame.module.css'
import { Trace } from './Trace.tsx'

type Props = { title: string; lead: ReactNode; children: ReactNode; under?: ReactNode }

/** Frame of sign-in, recovery and the request for an account. */
export const AuthFrame = ({ title, lead, children, under }: Props) => {
  const shown = currentLanguage()
  return (
    <div className={classes.page}>
      <main className={classes.side}>
        <div className={classes.brand}>
          <span aria-hidden>G</span> Gridmast
        </div>
        <div className={classes.middle}>
          <h1>{title}</h1>
          <p className={classes.lead}>{lead}</p>
          <div className={classes.form}>{children}</div>
          {under && <p className={classes.under}>{under}</p>}
        </div>
        <footer className={classes.foot}>
          <Link to="/privacyPolicy">{t('Privacy policy')}</Link>
          {languages.map((language) => (
            <button
              key={language}
              type="button"
              lang={language}
              aria-pressed={shown === language}
              onClick={() => void chooseLanguage(language)}
            >
              {languageNames[language]}
            </button>
          ))}
        </footer>
      </main>
      <Trace />
    </div>
  )
}
