import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'

type Props<Made> = {
  opened: boolean
  title: string
  madeTitle: string
  onClose: () => void
  renderForm: (onMade: (made: Made) => void) => ReactNode
  renderMade: (made: Made) => ReactNode
}

/** A form that makes something with a secret, then the secret. Once it is shown only its own button closes the dialog; closing forgets it. */
export const SecretDialog = <Made,>({ opened, title, madeTitle, onClose, renderForm, renderMade }: Props<Made>) => {
  const { t } = useTranslation()
  const [shows, setShows] = useState(false)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setShows(false)}
      size={560}
      title={shows ? madeTitle : title}
      withCloseButton={!shows}
      closeOnEscape={!shows}
      closeOnClickOutside={!shows}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Steps renderForm={renderForm} renderMade={renderMade} onMade={() => setShows(true)} />
    </Modal>
  )
}

type StepsProps<Made> = Pick<Props<Made>, 'renderForm' | 'renderMade'> & { onMade: () => void }

const Steps = <Made,>({ renderForm, renderMade, onMade }: StepsProps<Made>) => {
  const [what, setWhat] = useState<Made | null>(null)
  if (what !== null) return renderMade(what)
  return renderForm((next) => {
    setWhat(next)
    onMade()
  })
}
