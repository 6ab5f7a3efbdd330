import { Button, Skeleton } from '@mantine/core'
import type { FirstStep } from '@gridmast/contract/people/first-step-gates.ts'
import { findFirstSteps, hideFirstSteps } from '@gridmast/contract/people/first-steps.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useUser } from '#lib/user.tsx'
import type { Address } from '#shell/nav.ts'
import { Text, Under } from '#ui/Layout.tsx'
import { LoadError } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './FirstStepsCard.module.css'
import { useFirstSteps } from '#people/first-steps/useFirstSteps.ts'

/** Alerts belong to an instance, which is under its license. */
const alertsAddress = ({ customerId: { instances, enabledLicense } }: User): Address => {
  const licence = instances.flatMap(({ licenseId }) => enabledLicense[licenseId] ?? [])[0]
  return licence
    ? { to: '/e3-App/$name', params: { name: licence.licenseType.name }, search: { tab: 'alerts' } }
    : { to: '/e3-App' }
}

type Step = { title: () => string; words: () => string; address: (user: User) => Address }
const steps: Record<FirstStep, Step> = {
  licence: {
    title: () => t('First license'),
    words: () => t('Ask the operator for the licenses of your markets.'),
    address: () => ({ to: '/insights/supportNotes' }),
  },
  contract: {
    title: () => t('Contract'),
    words: () => t('Agree on your shares with the operator.'),
    address: () => ({ to: '/insights/supportNotes' }),
  },
  edge: {
    title: () => t('Edge gateway'),
    words: () => t('Add a gateway and connect it.'),
    address: () => ({ to: '/edges' }),
  },
  sample: {
    title: () => t('First measurement'),
    words: () => t('Send a first message of an instance.'),
    address: () => ({ to: '/edges' }),
  },
  meters: {
    title: () => t('Meters'),
    words: () => t('Add your CVR number and enable its meters.'),
    address: () => ({ to: '/insights/dataHub' }),
  },
  alert: {
    title: () => t('First alert'),
    words: () => t('Be notified of unusual power or consumption.'),
    address: alertsAddress,
  },
  secondFactor: {
    title: () => t('Two-step sign-in'),
    words: () => t('Protect your account with an authenticator app.'),
    address: () => ({ to: '/security' }),
  },
  user: {
    title: () => t('Second user'),
    words: () => t('Ask the operator for an account for a colleague.'),
    address: () => ({ to: '/insights/supportNotes' }),
  },
}

const StepRow = ({ step, done }: { step: FirstStep; done: boolean }) => {
  const { title, words, address } = steps[step]
  const user = useUser()
  if (done)
    return (
      <li className={classes.step}>
        <IconCircleCheck className={classes.done} size={18} stroke={1.8} role="img" aria-label={t('Done')} />
        <Text ink="ink3">{title()}</Text>
      </li>
    )
  return (
    <li className={classes.step}>
      <IconCircle className={classes.open} size={18} stroke={1.8} role="img" aria-label={t('Open')} />
      <Link {...address(user)} className={classes.link}>
        <Text weight="medium">{title()}</Text>
        <Under as="span">{words()}</Under>
      </Link>
    </li>
  )
}

/** Steps such as the first report of an edge are done without this page. */
const everyMs = 15_000

export const FirstStepsCard = () => {
  const { steps: visible } = useFirstSteps()
  const read = useCall(findFirstSteps, { refetchIntervalMs: everyMs })
  const hiding = useDo(hideFirstSteps)
  const done = read.data?.steps.filter((step) => step.done).length
  return (
    <Panel
      title={t('First steps')}
      note={done === undefined ? undefined : t('{{done}} of {{all}} done', { done, all: visible.length })}
      label={t('First steps')}
      tools={
        <Button
          variant="subtle"
          size="xs"
          loading={hiding.isPending}
          onClick={() => hiding.mutate({ body: { hidden: true } })}
        >
          {t('Hide')}
        </Button>
      }
    >
      <LoadError query={read} title={t('The first steps could not be loaded.')} />
      <ul className={classes.steps}>
        {read.data
          ? read.data.steps.map(({ step, done: isDone }) => <StepRow key={step} step={step} done={isDone} />)
          : !read.error &&
            visible.map((step) => (
              <li key={step} className={classes.step}>
                <Skeleton height={34} animate={false} />
              </li>
            ))}
      </ul>
    </Panel>
  )
}
