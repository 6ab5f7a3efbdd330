import { useTranslation } from '#lib/i18n.ts'
import { ApiKeyTable } from '#features/api-keys/ApiKeyTable.tsx'
import classes from './account.module.css'

const ApiKeys = () => {
  const { t } = useTranslation()
  return (
    <main className={classes.page}>
      <p className={classes.lead}>
        {t(
          'With an API key your own programs read this portal. A key never changes anything, and it can never read more than the person who made it.',
        )}{' '}
        <a className="gm-link" href="/api/docs" target="_blank" rel="noreferrer">
          {t('All calls')}
        </a>
      </p>
      <ApiKeyTable />
    </main>
  )
}

export default ApiKeys
