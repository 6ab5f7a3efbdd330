import { hasEvents } from '@gridmast/contract/markets.ts'
import { t } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { useUrlState } from '#lib/url-state.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Lead, Page, TabPage } from '#ui/Page.tsx'
import { subscriptionsSearch } from '#people/search.ts'
import { SubscriptionList } from './SubscriptionList.tsx'

const AddEmailsForm = part(async () => (await import('./AddEmailsForm.tsx')).AddEmailsForm)

const EmailSubscriptions = () => {
  const { instances } = useUser().customerId
  const mayEdit = useCan('email-subscription.edit')
  const [search, change] = useUrlState(subscriptionsSearch)
  const hasFcr = instances.some(({ market }) => hasEvents(market, 'fcr_based'))
  const hasFrr = instances.some(({ market }) => hasEvents(market, 'frr_based'))
  const eventType = hasFrr && (search.eventType === 'frr_based' || !hasFcr) ? 'frr_based' : 'fcr_based'
  const markets = hasFcr && hasFrr && (
    <Segments
      label={t('Markets')}
      value={eventType}
      onChange={(next) => change({ eventType: next === 'frr_based' ? next : undefined, page: undefined })}
      data={[
        { value: 'fcr_based', label: t('FCR Markets') },
        { value: 'frr_based', label: t('FRR Markets') },
      ]}
    />
  )
  const list = (
    <SubscriptionList
      eventType={eventType}
      tools={markets}
      filter={search.filter ?? ''}
      onFilter={(filter) => change({ filter: filter === '' ? undefined : filter, page: undefined })}
    />
  )
  return (
    <Page>
      <Lead>{t('At most one email per instance every 15 minutes. Later activations are in the next email.')}</Lead>
      {mayEdit ? (
        <TabPage<'emails' | 'add'>
          current={search.tab}
          kept={{ eventType: search.eventType }}
          tabs={[
            { name: 'emails', title: t('Emails'), content: list },
            {
              name: 'add',
              title: t('Add Emails'),
              content: (
                <Panel title={t('Add Emails')} label={t('Add Emails')} tools={markets}>
                  <AddEmailsForm
                    key={eventType}
                    eventType={eventType}
                    instances={instances.filter(({ market }) => hasEvents(market, eventType))}
                    onAdded={() => change({ tab: undefined, filter: undefined, page: undefined })}
                  />
                </Panel>
              ),
            },
          ]}
        />
      ) : (
        list
      )}
    </Page>
  )
}

export default EmailSubscriptions
