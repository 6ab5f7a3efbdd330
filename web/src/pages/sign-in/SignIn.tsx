import { login, verify } from '@gridmast/contract/auth.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Language, chooseLanguage, languageNames } from '#lib/i18n.ts'
import { callKey, useDo } from '#lib/query.ts'
import { resumeSession, startSession } from '#lib/session.ts'
import classes from './SignIn.module.css'
import { SignInForm } from './SignInForm.tsx'
import { Trace } from './Trace.tsx'

const fields = ['user.email', 'user.password']

const SignIn = () => {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signingIn = useDo(login, fields)
  return (
    <div className={classes.page}>
      <main className={classes.side}>
        <div className={classes.brand}>
          <span aria-hidden>G</span> Gridmast
        </div>
        <div className={classes.middle}>
          <h1>{t('Sign in')}</h1>
          <p className={classes.lead}>{t('Flexibility and grid balancing for your company.')}</p>
          <SignInForm
            sending={signingIn.isPending}
            onResume={(account) => {
              if (account.token) resumeSession(account.token)
              void navigate({ to: '/' })
            }}
            onSubmit={(values, refuse) =>
              signingIn.mutate(
                { body: values },
                {
                  onSuccess: ({ token, user }) => {
                    if (!user || token === null) return
                    startSession(token, user, values.remember)
                    queries.setQueryData(callKey(verify), { user })
                    void navigate({ to: user.customerId.trueGreen.enabled ? '/' : '/cfmdashboard' })
                  },
                  onError: ({ errors }) => Object.keys(errors).some((path) => fields.includes(path)) && refuse(errors),
                },
              )
            }
          />
        </div>
        <footer className={classes.foot}>
          <Link to="/privacyPolicy">{t('Privacy policy')}</Link>
          {Object.entries(languageNames).map(([language, name]) => (
            <button
              key={language}
              type="button"
              lang={language}
              aria-pressed={i18n.language === language}
              onClick={() => void chooseLanguage(language as Language)} // the keys of languageNames
            >
              {name}
            </button>
          ))}
        </footer>
      </main>
      <Trace />
    </div>
  )
}

export default SignIn
