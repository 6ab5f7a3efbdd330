import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { useHere, useTitle } from '#shell/here.ts'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'

/** A screen whose data does not reach this version: says what it will hold, and invents nothing. */
const NotConnected = () => {
  const { t } = useTranslation()
  const user = useUser()
  const title = useTitle(user)
  const { words } = useHere().screen
  return (
    <main>
      <Panel title={title} note={user.customerId.name} label={title} style={{ minHeight: 320 }}>
        <Empty icon={<IconPlugConnectedX size={20} stroke={1.6} aria-hidden />} title={t('Coming soon')}>
          {words && t(words)}
        </Empty>
      </Panel>
    </main>
  )
}

export default NotConnected
