import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { privacyParts } from './parts.ts'
import classes from './PrivacyPolicy.module.css'

/** A public page: the charging app's privacy policy. */
const PrivacyPolicy = () => (
  <main className={classes.page}>
    <p>
      <Link to="/auth/login" className="gm-link">
        Gridmast
      </Link>
    </p>
    <h1>{t('Privacy policy of the charging app')}</h1>
    {privacyParts.map(([title, words]) => (
      <section key={title}>
        <h2>{t(title)}</h2>
        <p>{t(words)}</p>
      </section>
    ))}
  </main>
)

export default PrivacyPolicy
