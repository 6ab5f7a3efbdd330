import { t } from '#lib/i18n.ts'
import { Code } from '#ui/OneTimeSecret.tsx'
import { Panel } from '#ui/Panel.tsx'
import { signatureExample } from './signature-example.ts'
import classes from './webhooks.module.css'

/** How a receiver knows that a request came from here. */
export const SignatureHelp = () => (
  <Panel title={t('How to verify the signature')} label={t('How to verify the signature')}>
    <p className={classes.help}>
      {t(
        'Each request is signed with the secret of its webhook, as the Standard Webhooks specification says: in webhook-signature, over webhook-id, webhook-timestamp and the body. Refuse a request that does not verify, and one whose webhook-id you have seen before. Answer with a status of 200 to 299 within 10 seconds; any other answer is tried again, later and later, for about a day.',
      )}
    </p>
    <Code label={t('Example in Node')} code={signatureExample} />
  </Panel>
)
