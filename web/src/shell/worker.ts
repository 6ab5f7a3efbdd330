import { currentMs } from '#lib/clock.ts'
import { currentLanguage } from '#lib/i18n.ts'
import { liveStatus } from '#lib/live.ts'
import { registerWorker, renewPush } from '#lib/push.ts'

const reportEveryMs = 30_000

/** Registers the worker and reports to it when the server was last heard of, for its offline page. Answers its end. */
export const startWorker = async (userId: string): Promise<() => void> => {
  const registration = await registerWorker()
  if (!registration) return () => {}
  const report = () => {
    if (liveStatus.get() === 'open')
      registration.active?.postMessage({ contactMs: currentMs(), language: currentLanguage() })
  }
  void navigator.serviceWorker.ready.then(report)
  void renewPush(userId, registration).catch(() => {}) // the next start of the portal tries again
  const timer = setInterval(report, reportEveryMs)
  document.addEventListener('visibilitychange', report)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', report)
  }
}
