import { Checkbox, TextInput } from '@mantine/core'
import type { Webhook, WebhookEvent } from '@gridmast/contract/people/webhooks.ts'
import { t } from '#lib/i18n.ts'
import type { CallFormOf } from '#lib/call-form.ts'
import { eventWords } from './event-words.ts'
import classes from './webhooks.module.css'

export const empty = { name: '', url: '', events: [] as WebhookEvent[], enabled: true }
export const valuesOf = ({ name, url, events, enabled }: Webhook) => ({ name, url, events, enabled })

export const WebhookFields = ({ form: { field } }: { form: CallFormOf<typeof empty> }) => (
  <>
    <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
    <TextInput
      label={t('URL')}
      type="url"
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
      spellCheck={false}
      {...field('url')}
    />
    {/* When none is ticked the first box takes the focus, which the group cannot. */}
    <Checkbox.Group label={t('Events')} {...field('events')} data-path={undefined}>
      <div className={classes.events}>
        {eventWords.map(({ event, name, words }, i) => (
          <Checkbox
            key={event}
            value={event}
            label={t(name)}
            description={t(words)}
            {...(i === 0 ? { 'data-path': 'events' } : {})}
          />
        ))}
      </div>
    </Checkbox.Group>
  </>
)
