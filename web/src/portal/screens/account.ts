import {
  IconBuilding,
  IconHeartRateMonitor,
  IconKey,
  IconListCheck,
  IconMail,
  IconShieldLock,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import { NotFoundPage } from '#shell/ErrorPages.tsx'
import { screenGate } from '#shell/gate.ts'
import { auditSearch, subscriptionsSearch, webhooksSearch } from '#people/search.ts'
import { withWords } from '#lib/i18n.ts'
import { screen } from './screen.ts'

export const account = {
  '/profile': screen({
    title: 'Edit Profile',
    words: 'Your name, e-mail, phone number and picture.',
    in: 'profile',
    icon: IconUser,
    page: () => withWords(import('#people/profile/Profile.tsx'), 'people'),
  }),
  '/company': screen({
    title: 'Company profile',
    words: 'Contact persons and invoice address of your company.',
    in: 'profile',
    icon: IconBuilding,
    page: () => withWords(import('#people/customer/Company.tsx'), 'people'),
  }),
  '/security': screen({
    title: 'Security',
    words: 'Two-step sign-in, and where you are signed in.',
    in: 'profile',
    icon: IconShieldLock,
    gate: screenGate('security'),
    page: () => withWords(import('#people/security/Security.tsx'), 'people'),
  }),
  '/apiKeys': screen({
    title: 'API keys',
    words: 'Keys for your own programs to read this portal.',
    in: 'profile',
    icon: IconKey,
    gate: screenGate('apiKeys'),
    page: () => withWords(import('#people/api-keys/ApiKeys.tsx'), 'people'),
  }),
  '/webhooks': screen({
    title: 'Webhooks',
    words: 'Your own addresses that this portal calls, and what was delivered.',
    in: 'profile',
    icon: IconWebhook,
    gate: screenGate('webhooks'),
    search: webhooksSearch,
    page: () => withWords(import('#people/webhooks/Webhooks.tsx'), 'people'),
  }),
  '/audit': screen({
    title: 'Audit trail',
    words: 'Who changed what, and when.',
    in: 'profile',
    icon: IconListCheck,
    gate: screenGate('audit'),
    search: auditSearch,
    page: () => withWords(import('#people/audit/AuditTrail.tsx'), 'people', 'people-audit'),
  }),
  '/emailSubscriptions': screen({
    title: 'Email Subscriptions',
    words: 'Who is emailed when an instance is activated or a bid is accepted or rejected.',
    in: 'profile',
    icon: IconMail,
    gate: screenGate('emailSubscriptions'),
    search: subscriptionsSearch,
    page: () => withWords(import('#people/email-subscriptions/EmailSubscriptions.tsx'), 'people'),
  }),
  '/systemOverview': screen({
    title: 'System Overview',
    in: 'profile',
    icon: IconHeartRateMonitor,
    gate: screenGate('systemOverview'),
    page: () => withWords(import('#operator/system/SystemOverview.tsx'), 'operator'),
  }),
  '/$': screen({
    title: 'Page not found',
    page: () => Promise.resolve({ default: NotFoundPage }),
  }),
}
