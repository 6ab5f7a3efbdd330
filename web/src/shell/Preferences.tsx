import { Skeleton, useMantineColorScheme } from '@mantine/core'
import { saveLanguage } from '@gridmast/contract/people/profile.ts'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { languages } from '@gridmast/contract/people/user.ts'
import { Suspense } from 'react'
import { chooseLanguage, currentLanguage, languageNames, t, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { showToast } from '#lib/toast.ts'
import { isPageKept } from '#lib/unsaved.ts'
import { useFirstSteps } from '#people/first-steps/useFirstSteps.ts'
import { useChoice } from '#ui/SavedSwitch.tsx'
import { Segments } from '#ui/Segments.tsx'
import classes from './ProfileMenu.module.css'

const FirstStepsEntry = part(
  async () => (await withWords(import('#people/first-steps/FirstStepsEntry.tsx'), 'first-steps')).FirstStepsEntry,
)

const PersonalStepEntry = part(
  async () => (await withWords(import('#people/first-steps/FirstStepsEntry.tsx'), 'first-steps')).PersonalStepEntry,
)

const schemes = [
  { value: 'auto', words: 'System', icon: IconDeviceDesktop },
  { value: 'light', words: 'Light', icon: IconSun },
  { value: 'dark', words: 'Dark', icon: IconMoon },
] as const

/** Theme and language of this device; mails use the latest language. */
export const Preferences = ({ onChoose }: { onChoose: () => void }) => {
  const firstSteps = useFirstSteps()
  const language = currentLanguage()
  // A change of language remounts this component, so two choices may be saved by two instances.
  const saved = useChoice(saveLanguage, language, {
    sent: (value) => ({ body: { language: value } }),
    scope: saveLanguage.path,
  })
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <div className={classes.setting}>
        <span>{t('Theme')}</span>
        <Segments
          label={t('Theme')}
          value={colorScheme}
          onChange={setColorScheme}
          data={schemes.map(({ value, words, icon: Icon }) => ({
            value,
            label: (
              <>
                <Icon size={16} stroke={1.8} aria-hidden style={{ display: 'block', margin: '2px' }} />
                <span className="gm-hidden">{t(words)}</span>
              </>
            ),
          }))}
        />
      </div>
      <div className={classes.setting}>
        <span>{t('Language')}</span>
        <Segments
          label={t('Language')}
          value={saved.value}
          onChange={(value) => {
            if (isPageKept()) return showToast({ kind: 'error', message: t('Save or discard your changes first.') })
            void chooseLanguage(value)
            saved.choose(value)
          }}
          data={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
        />
      </div>
      {!firstSteps.isOpen && firstSteps.isPersonalOpen && (
        <Suspense fallback={<Skeleton height={32} animate={false} />}>
          <PersonalStepEntry className={classes.item ?? ''} onChoose={onChoose} />
        </Suspense>
      )}
      {firstSteps.isOpen && firstSteps.hidden && (
        <Suspense fallback={<Skeleton height={32} animate={false} />}>
          <FirstStepsEntry className={classes.item ?? ''} onChoose={onChoose} />
        </Suspense>
      )}
    </>
  )
}
