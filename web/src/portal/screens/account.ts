import {
  IconBuilding,
  IconHeartRateMonitor,
  IconKey,
  IconListCheck,
  IconMail,
  IconMailFast,
  IconPlugConnected,
  IconShieldLock,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import { NotFoundPage } from '#shell/ErrorPages.tsx'
import { screenGate } from '#shell/gate.ts'
import { auditSearch, reportsSearch, subscriptionsSearch, webhooksSearch } from '#people/search.ts'
import { edgesSearch } from '#delivery/edges/search.ts'
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
    words: 'Two-step sign-in and active sessions.',
    in: 'profile',
    icon: IconShieldLock,
    gate: screenGate('security'),
    page: () => withWords(import('#people/security/Security.tsx'), 'people', 'security'),
  }),
  '/apiKeys': screen({
    title: 'API keys',
    words: 'Keys for programs that read data from this portal.',
    in: 'profile',
    icon: IconKey,
    gate: screenGate('apiKeys'),
    page: () => withWords(import('#people/api-keys/ApiKeys.tsx'), 'people'),
  }),
  '/webhooks': screen({
    title: 'Webhooks',
    words: 'Addresses that this portal notifies, and their deliveries.',
    in: 'profile',
    icon: IconWebhook,
    gate: screenGate('webhooks'),
    search: webhooksSearch,
    page: () => withWords(import('#people/webhooks/Webhooks.tsx'), 'people'),
  }),
  '/edges': screen({
    title: 'Edge gateways',
    words: 'Gateways of your equipment: secrets, instances and refused messages.',
    in: 'profile',
    icon: IconPlugConnected,
    gate: screenGate('edges'),
    search: edgesSearch,
    page: () => withWords(import('#delivery/edges/Edges.tsx'), 'delivery-edges'),
  }),
  '/audit': screen({
    title: 'Audit trail',
    words: 'Changes with user and time.',
    in: 'profile',
    icon: IconListCheck,
    gate: screenGate('audit'),
    search: auditSearch,
    page: () => withWords(import('#people/audit/AuditTrail.tsx'), 'people', 'people-audit'),
  }),
  '/emailSubscriptions': screen({
    title: 'Email Subscriptions',
    words: 'Recipients of emails about activations and about accepted and rejected bids.',
    in: 'profile',
    icon: IconMail,
    gate: screenGate('emailSubscriptions'),
    search: subscriptionsSearch,
    page: () => withWords(import('#people/email-subscriptions/EmailSubscriptions.tsx'), 'people'),
  }),
  '/reports': screen({
    title: 'Reports',
    words: 'Lists and charts that are sent by email every day, week or month.',
    in: 'profile',
    icon: IconMailFast,
    gate: screenGate('reports'),
    search: reportsSearch,
    page: () => withWords(import('#people/reports/Reports.tsx'), 'people', 'people-reports'),
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
