import { Popover, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { roleNames } from '@gridmast/contract/roles.ts'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Language, chooseLanguage, languageNames } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { Tag } from '#ui/Tag.tsx'
import { initialsOf } from './initials.ts'
import classes from './TopBar.module.css'
import { useLogout } from './useLogout.ts'

const schemes = [
  { value: 'auto', words: 'System', icon: IconDeviceDesktop },
  { value: 'light', words: 'Light', icon: IconSun },
  { value: 'dark', words: 'Dark', icon: IconMoon },
] as const

export const ProfileMenu = () => {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const logout = useLogout()
  const initials = initialsOf(user.name)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Popover position="bottom-end" width={272} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.avatar} aria-label={`${initials}, ${t('Profile menu')}`}>
          {user.profileImage ? <img src={user.profileImage} alt="" /> : initials}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.profile ?? ''} aria-label={t('Profile menu')}>
        <div className={classes.who}>
          <b>{user.name}</b>
          <span>{user.email}</span>
          <span>{user.customerId.name}</span>
          <Tag>{t(roleNames[user.userRole])}</Tag>
        </div>
        <hr />
        <div className={classes.setting}>
          <span>{t('Theme')}</span>
          <SegmentedControl
            aria-label={t('Theme')}
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
          <SegmentedControl
            aria-label={t('Language')}
            value={i18n.language}
            onChange={(value) => void chooseLanguage(value as Language)} // one of the two values below
            data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
          />
        </div>
        <hr />
        <UnstyledButton className={classes.item} onClick={logout}>
          <IconLogout size={16} stroke={1.8} aria-hidden />
          {t('Logout')}
        </UnstyledButton>
      </Popover.Dropdown>
    </Popover>
  )
}
