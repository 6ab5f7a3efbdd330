import { t } from '#lib/i18n.ts'
import { ApiKeyTable } from '#people/api-keys/ApiKeyTable.tsx'
import { Lead, Page } from '#ui/Page.tsx'

const ApiKeys = () => (
  <Page>
    <Lead>
      {t(
        'API keys let your own programs read data from this portal. A key cannot change anything, and reads no more than the person who created it.',
      )}{' '}
      <a className="gm-link" href="/api/docs" target="_blank" rel="noreferrer">
        {t('All calls')}
      </a>
    </Lead>
    <ApiKeyTable />
  </Page>
)

export default ApiKeys
