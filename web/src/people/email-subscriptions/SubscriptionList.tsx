import {
  type EmailSubscription,
  findEmailSubscriptions,
  removeEmailSubscription,
  setEmailSubscription,
  type SubscribedMail,
} from '@gridmast/contract/people/email-subscriptions.ts'
import type { EventType } from '@gridmast/contract/markets.ts'
import { m } from '@gridmast/contract/messages.ts'
import { IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { subscriptionsSearch } from '#people/search.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useRemoval } from '#lib/removal.ts'
import { useCan } from '#lib/user.tsx'
import { useSavedList } from '#lib/list.ts'
import { pickParams } from '#lib/search-params.ts'
import * as column from '#ui/columns.tsx'
import type { Column, Columns } from '#ui/DataTable.tsx'
import { EmailAddress } from '#ui/EmailAddress.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Row } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'
import { SearchField } from '#ui/FilterRow.tsx'
import { StatusDot } from '#ui/Tag.tsx'

const subscriptionFilters = pickParams(subscriptionsSearch, 'eventType', 'filter')

const titles = { activation: 'Activation', bidResult: 'Bid Result' } as const

const useColumns = (onRemove: ((subscription: EmailSubscription) => void) | null): Columns<EmailSubscription> => {
  const instance = ({ instanceId, instanceName }: EmailSubscription) =>
    instanceName ?? translateText(m.instanceNotAvailable(instanceId))
  const mailColumn = (type: SubscribedMail): Column<EmailSubscription> =>
    column.cell(type, t(titles[type]), (subscription) =>
      onRemove ? (
        <SavedSwitch
          aria-label={t('{{mail}} to {{email}} about {{instance}}', {
            mail: t(titles[type]),
            email: subscription.email,
            instance: instance(subscription),
          })}
          checked={subscription[type]}
          call={setEmailSubscription}
          sent={(value) => ({ body: { _id: subscription._id, type, value } })}
        />
      ) : (
        <Row as="span" inline gap={8} nowrap>
          <StatusDot status={subscription[type] ? 'fresh' : 'off'} />
          {subscription[type] ? t('On') : t('Off')}
        </Row>
      ),
    )
  return [
    column.cell(
      'email',
      t('Email'),
      ({ email, unconfirmed }) => <EmailAddress email={email} unconfirmed={unconfirmed} />,
      { card: 'lead' },
    ),
    column.cell('instance', t('Instance'), instance, { card: 'plain' }),
    mailColumn('activation'),
    mailColumn('bidResult'),
    onRemove &&
      column.actions(
        t('Actions'),
        (subscription) => [
          {
            icon: IconTrash,
            label: t('Remove {{email}} from {{instance}}', {
              email: subscription.email,
              instance: instance(subscription),
            }),
            onClick: () => onRemove(subscription),
          },
        ],
        { card: 'corner' },
      ),
  ]
}

type Props = {
  eventType: EventType
  tools: ReactNode
  filter: string
  onFilter: (filter: string) => void
}

export const SubscriptionList = ({ eventType, tools, filter, onFilter }: Props) => {
  const mayEdit = useCan('email-subscription.edit')
  const query = { eventType, ...(filter === '' ? {} : { filter }) }
  const panel = useRef<HTMLElement>(null)
  const { remove, isRemoved } = useRemoval(removeEmailSubscription, {
    sent: ({ _id }: EmailSubscription) => ({ params: { id: _id } }),
    onRemoved: () => panel.current?.focus(),
  })
  const list = useSavedList(
    findEmailSubscriptions,
    { query },
    {
      rows: ({ subscriptions }) => subscriptions,
      isRemoved,
      views: { list: 'email-subscriptions', filters: subscriptionFilters },
    },
  )
  const columns = useColumns(mayEdit ? remove : null)
  return (
    <>
      <SavedList
        ref={panel}
        title={t('Emails')}
        tools={tools}
        filters={
          <>
            <SearchField label={t('Filter')} placeholder={t('Email or instance')} value={filter} onChange={onFilter} />
            <div data-end>
              <ExportButton {...list.file} />
            </div>
          </>
        }
        {...list}
        failed={t('The email subscriptions could not be loaded.')}
        columns={columns}
        rowKey={({ _id }) => _id}
        numbered
        emptyReason={
          filter === ''
            ? t('No recipients for these markets yet.')
            : t('No email or instance contains “{{filter}}”.', { filter })
        }
      />
    </>
  )
}
