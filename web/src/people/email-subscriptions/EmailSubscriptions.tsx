import { SubmitButton } from '#ui/FormParts.tsx'
import { Checkbox, Tabs, TagsInput } from '@mantine/core'
import { type EventType, hasEvents } from '@gridmast/contract/markets.ts'
import { addEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Lead, Page } from '#ui/Page.tsx'
import { subscriptionsSearch } from '#people/search.ts'
import { useCallForm } from '#lib/call-form.ts'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'
import { SubscriptionList } from './SubscriptionList.tsx'

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
  const openTab = (tab: string | null) =>
    change({ tab: tab === 'add' ? tab : undefined, filter: undefined, page: undefined })
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
        <Tabs value={search.tab ?? 'emails'} onChange={openTab} keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="emails">{t('Emails')}</Tabs.Tab>
            <Tabs.Tab value="add">{t('Add Emails')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="emails" pt={16}>
            {list}
          </Tabs.Panel>
          <Tabs.Panel value="add" pt={16}>
            <Panel title={t('Add Emails')} label={t('Add Emails')} tools={markets}>
              <AddEmailsForm
                key={eventType}
                eventType={eventType}
                instances={instances.filter(({ market }) => hasEvents(market, eventType))}
                onAdded={() => openTab(null)}
              />
            </Panel>
          </Tabs.Panel>
        </Tabs>
      ) : (
        list
      )}
    </Page>
  )
}

type AddProps = { eventType: EventType; instances: Customer['instances']; onAdded: () => void }

const AddEmailsForm = ({ eventType, instances, onAdded }: AddProps) => {
  const [only] = instances.length === 1 ? instances : []
  const emails: string[] = []
  const { form, field, formProps, sending, waitS } = useCallForm(addEmailSubscriptions, {
    initial: { emails, instanceId: only?._id ?? '', activation: true, bidResult: true, eventType },
    onDone: onAdded,
  })
  const wrong = form.values.emails.flatMap((email, i) => {
    const why = form.errors[`emails.${i}`]
    return why ? [{ email, why }] : []
  })
  return (
    <form aria-label={t('Add Emails')} {...formProps} style={{ maxWidth: 560 }}>
      <Stack gap={16}>
        <TagsInput
          label={t('Emails')}
          description={t('Type or paste addresses, at most {{n}}; Enter, comma or space separates them.', {
            n: limits.emailsAtOnce,
          })}
          type="email"
          autoComplete="off"
          splitChars={[',', ';', ' ', '\n', '\t']}
          clearable
          clearButtonProps={{ 'aria-label': t('Remove all') }}
          {...field('emails')}
          onChange={(next) => {
            form.clearErrors()
            form.setFieldValue('emails', next)
          }}
          onDuplicate={() => form.setFieldError('emails', translateText(m.emailTwice))}
          error={
            wrong.length > 0
              ? wrong.map(({ email, why }) => (
                  <span key={email} style={{ display: 'block' }}>
                    {email}: {why}
                  </span>
                ))
              : form.errors['emails']
          }
        />
        <Select
          label={t('Instance')}
          placeholder={t('Choose an instance')}
          searchable
          nothingFoundMessage={t('No instance matches.')}
          data={instances.map(({ _id, name }) => ({ value: _id, label: name }))}
          {...field('instanceId')}
          value={form.values.instanceId === '' ? null : form.values.instanceId}
          onChange={(instanceId) => form.setFieldValue('instanceId', instanceId ?? '')}
        />
        <Stack as="fieldset" gap={10}>
          <Text as="legend" weight="medium" below={8}>
            {t('Emails to send')}
          </Text>
          <Checkbox
            label={t('Activation')}
            description={t('For a delta load of at least {{n}} percent, and for every aFRR activation.', {
              n: limits.mailedFromPercent,
            })}
            {...form.getInputProps('activation', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('Bid Result')}
            description={t('Whether a bid was won or lost.')}
            {...form.getInputProps('bidResult', { type: 'checkbox' })}
          />
        </Stack>
      </Stack>
      <Row justify="end" above={20}>
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Add Emails')}
        </SubmitButton>
      </Row>
    </form>
  )
}

export default EmailSubscriptions
