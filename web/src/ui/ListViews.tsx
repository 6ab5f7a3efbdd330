import { TextInput, UnstyledButton } from '@mantine/core'
import {
  addSavedView,
  changeSavedView,
  removeSavedView,
  type SavedView,
  setDefaultView,
} from '@gridmast/contract/people/saved-views.ts'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { useRemoval } from '#lib/removal.ts'
import type { SavedViews } from '#lib/saved-views.ts'
import { useCan } from '#lib/user.tsx'
import { CallFormDialog } from './CallForm.tsx'
import classes from './ListTools.module.css'
import { Menu, MenuDivider, MenuItem, MenuLabel } from './Menu.tsx'

type Naming = 'new' | 'shared' | 'rename'

/** Saved views of a list: choose, save, share and delete. */
export const ListViews = ({ views: saved }: { views: SavedViews }) => {
  const { list, chosen, isChanged, apply, text, query } = saved
  const mayShare = useCan('view.share')
  const target = useRef<HTMLButtonElement>(null)
  const [naming, setNaming] = useState<Naming | null>(null)
  const changing = useDo(changeSavedView)
  const defaulting = useDo(setDefaultView)
  const { remove, isRemoved } = useRemoval(removeSavedView, {
    sent: ({ _id }: SavedView) => ({ params: { id: _id } }),
    onRemoved: () => target.current?.focus(),
  })
  const views = saved.views.filter((view) => !isRemoved(view))
  const view = chosen && !isRemoved(chosen) ? chosen : undefined
  const mayEdit = view !== undefined && (!view.shared || mayShare)
  const change = (body: { search?: string; shared?: true }) =>
    view && changing.mutate({ params: { id: view._id }, body })
  const item = (one: SavedView) => (
    <MenuItem
      key={one._id}
      onClick={() => void apply(one)}
      aria-current={one === view || undefined}
      end={one === view && <IconCheck size={14} aria-hidden />}
    >
      {one.name}
      {one.isDefault && <span className={classes.mark}> · {t('Opens by default')}</span>}
    </MenuItem>
  )
  const group = (title: string, some: SavedView[]) =>
    some.length > 0 && (
      <>
        <MenuLabel>{title}</MenuLabel>
        {some.map(item)}
      </>
    )
  return (
    <>
      <Menu
        align="start"
        className={classes.dropdown}
        target={
          <UnstyledButton ref={target} className={classes.target ?? ''}>
            <span className="gm-hidden">{t('View:')} </span>
            <span className={classes.name}>{view?.name ?? t('Standard view')}</span>
            {isChanged && view && <span className={classes.mark}> {t('not saved')}</span>}
            <IconChevronDown size={14} stroke={1.8} aria-hidden />
          </UnstyledButton>
        }
      >
        <MenuItem
          onClick={() => void apply(null)}
          aria-current={!view || undefined}
          end={!view && <IconCheck size={14} aria-hidden />}
        >
          {t('Standard view')}
        </MenuItem>
        {query.isError && <MenuLabel>{t('The views could not be loaded.')}</MenuLabel>}
        {group(
          t('Your views'),
          views.filter(({ shared }) => !shared),
        )}
        {group(
          t('Views of the company'),
          views.filter(({ shared }) => shared),
        )}
        <MenuDivider />
        <MenuItem onClick={() => setNaming('new')}>{t('Save as new view …')}</MenuItem>
        {mayShare && <MenuItem onClick={() => setNaming('shared')}>{t('Save for the company …')}</MenuItem>}
        {view && (
          <>
            <MenuDivider />
            <MenuLabel>{view.name}</MenuLabel>
            {mayEdit && (
              <>
                <MenuItem disabled={!isChanged} onClick={() => change({ search: text })}>
                  {t('Save changes')}
                </MenuItem>
                <MenuItem onClick={() => setNaming('rename')}>{t('Rename …')}</MenuItem>
              </>
            )}
            {mayShare && !view.shared && (
              <MenuItem onClick={() => change({ shared: true })}>{t('Share with the company')}</MenuItem>
            )}
            <MenuItem onClick={() => defaulting.mutate({ body: { list, viewId: view.isDefault ? null : view._id } })}>
              {view.isDefault ? t('No longer open by default') : t('Open by default')}
            </MenuItem>
            {mayEdit && (
              <MenuItem
                onClick={() => {
                  remove(view)
                  void apply(null)
                }}
              >
                {t('Delete view')}
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      <CallFormDialog
        title={naming === 'shared' ? t('Save for the company') : t('Save as new view')}
        submit={t('Save view')}
        size={440}
        call={addSavedView}
        initial={naming === 'new' || naming === 'shared' ? { name: '' } : null}
        toBody={({ name }) => ({ name, list, search: text, shared: naming === 'shared' })}
        onDone={({ view: added }) => void apply(added)}
        onClose={() => setNaming(null)}
      >
        {({ field }) => (
          <TextInput
            label={t('Name')}
            description={t('Filters, columns and order of this list are saved.')}
            data-autofocus
            {...field('name')}
          />
        )}
      </CallFormDialog>
      <CallFormDialog
        title={t('Rename view')}
        submit={t('Save view')}
        size={440}
        call={changeSavedView}
        initial={naming === 'rename' && view ? { name: view.name } : null}
        request={{ params: { id: view?._id ?? '' } }}
        toBody={({ name }) => ({ name })}
        onClose={() => setNaming(null)}
      >
        {({ field }) => <TextInput label={t('Name')} data-autofocus {...field('name')} />}
      </CallFormDialog>
    </>
  )
}
