import { type ReactNode, useState } from 'react'
import { Dialog } from './Dialog.tsx'

type Props<Made> = {
  opened: boolean
  title: string
  madeTitle: string
  onClose: () => void
  renderForm: (onMade: (made: Made) => void) => ReactNode
  renderMade: (made: Made) => ReactNode
}

/** A form that creates a secret, then the secret, which only its own button closes; closing removes it. */
export const SecretDialog = <Made,>({ opened, title, madeTitle, onClose, renderForm, renderMade }: Props<Made>) => {
  const [shows, setShows] = useState(false)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setShows(false)}
      size={560}
      title={shows ? madeTitle : title}
      withCloseButton={!shows}
      closeOnEscape={!shows}
      closeOnClickOutside={!shows}
    >
      <Steps renderForm={renderForm} renderMade={renderMade} onMade={() => setShows(true)} />
    </Dialog>
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
