import { Button } from '@mantine/core'
import type { LicenceType } from '@gridmast/contract/people/licences.ts'
import { IconApps } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { flat } from '#shell/entries.ts'
import { licenceTitle } from '#lib/licence-names.ts'
import { useNav } from '#shell/nav-context.ts'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'

/** Pages of licences without an app. */
const pages = new Map<string, string>(
  Object.entries({
    dataHub: '/insights/dataHub',
    loadShifting: '/insights/loadShifting',
    CFM: '/cfmdashboard',
    evCharging: '/e3-App/evCharging',
  }),
)

/** Links to the licence's page, if the user may open it. */
export const Fallback = ({ licence }: { licence: LicenceType }) => {
  const { name } = useUser().customerId
  const { sidebar } = useNav()
  const page = flat(sidebar).find(({ key }) => key === pages.get(licence.name))
  const title = translateText(licenceTitle(licence.name))
  return (
    <main>
      <Panel title={title} note={name} label={title} style={{ minHeight: 320 }}>
        <Empty icon={<IconApps size={20} stroke={1.6} aria-hidden />} title={t('This license has no app of its own')}>
          {page ? (
            <Button renderRoot={(props) => <Link {...page.address} {...props} />} variant="default">
              {t('Open {{page}}', { page: translateText(page.title) })}
            </Button>
          ) : (
            t('Nothing of it is shown in this version of the portal.')
          )}
        </Empty>
      </Panel>
    </main>
  )
}
