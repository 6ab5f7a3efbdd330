import { CloseButton, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { limits } from '@gridmast/contract/limits.ts'
import { search } from '@gridmast/contract/search.ts'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { noteRecentFind } from '#lib/session.ts'
import { isShortcut } from '#lib/shortcuts.ts'
import { PlainDialog } from '#ui/useConfirm.tsx'
import { useCloseOnLeave } from './current-screen.ts'
import { keyOf, textsOf } from './found.ts'
import { palette } from './nav.ts'
import { type Option, searchedText, useOptions } from './palette-options.ts'
import classes from './Palette.module.css'

const typingMs = 150
const shortest = 2

/** Without half a surrogate pair at its end. */
const cut = (text: string) => text.slice(0, limits.searchLength).replace(/[\ud800-\udbff]$/, '')

/** Rows of the server for the text. Those of the previous text stay until the next answer, as far as they show each word. */
const useFound = (text: string) => {
  const [typed] = useDebouncedValue(text, typingMs)
  const enabled = typed.length >= shortest
  const query = useCall(search, { sent: { query: { q: typed } }, enabled, retry: false, keepWhile: 'search' })
  const isCurrent = typed === text && !query.isPlaceholderData
  const words = text.toLowerCase().split(/\s+/)
  const rows = (enabled && query.data ? query.data.found : []).filter(
    (row) => isCurrent || words.every((word) => textsOf(row).join(' ').toLowerCase().includes(word)),
  )
  return {
    rows,
    isLoading: text.length >= shortest && (typed !== text || query.isFetching),
    error: isCurrent && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  }
}

const showInList = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

const SearchBox = () => {
  const navigate = useNavigate()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const given = query.trim()
  const text = cut(given)
  const { rows, isLoading, error, retry } = useFound(searchedText(text))
  const groups = useOptions(text, rows)
  const options = groups.flatMap((group) => group.options)
  const at = Math.max(
    0,
    options.findIndex(({ key }) => key === chosen),
  )
  const current = options[at]

  const open = ({ open: target, row }: Option) => {
    if (row) noteRecentFind(row, (other) => keyOf(other) === keyOf(row))
    palette.close()
    if (typeof target === 'function') target()
    else void navigate(target)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = isShortcut(event, 'nextResult') ? 1 : isShortcut(event, 'previousResult') ? -1 : 0
    if (step !== 0) setChosen(options.at((at + step) % options.length)?.key ?? null)
    else if (isShortcut(event, 'openResult') && current) open(current)
    else return
    event.preventDefault()
  }
  const optionId = ({ key }: Option) => `${id} ${key}`.replaceAll(/\s/g, '-')
  const state = isLoading
    ? t('Searching …')
    : options.length > 0
      ? t('{{count}} results', { count: options.length })
      : t('Nothing found')

  return (
    <>
      <div className={classes.box}>
        {isLoading ? <Loader size={18} aria-hidden /> : <IconSearch size={18} stroke={1.8} aria-hidden />}
        <input
          role="combobox"
          aria-label={t('Search or jump to')}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current && optionId(current)}
          placeholder={t('Search or jump to')}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onFocus={() => {
            const typed = palette.takeTyped()
            if (typed) setQuery(query + typed)
          }}
          onChange={(event) => {
            list.current?.scrollTo(0, 0)
            setQuery(event.currentTarget.value)
            setChosen(null)
          }}
          onKeyDown={onKeyDown}
        />
        <CloseButton aria-label={t('Close')} onClick={palette.close} />
      </div>
      <p className={classes.state} role="status">
        {state}
      </p>
      {given.length > text.length && (
        <p className={classes.note}>
          {t('Only the first {{limit}} characters are searched.', { limit: limits.searchLength })}
        </p>
      )}
      {error && (
        <p className={classes.note} role="alert">
          {t('Chargers, meters, bids and other rows could not be searched.')} {translateText(error.message)}{' '}
          <button type="button" onClick={retry}>
            {t('Try again')}
          </button>
        </p>
      )}
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={t('Results')} className={classes.list}>
        {groups.map(({ title, options: own }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={classes.title} aria-hidden>
              {title}
            </div>
            {own.map((option) => (
              // The keys are handled by the field, which keeps the focus.
              <div
                key={option.key}
                id={optionId(option)}
                role="option"
                tabIndex={-1}
                aria-selected={option === current}
                ref={option.key === chosen ? showInList : null}
                className={classes.option}
                onClick={() => open(option)}
                onKeyDown={onKeyDown}
                onPointerDown={(event) => event.preventDefault()}
              >
                <option.icon size={17} stroke={1.6} aria-hidden />
                <span className={classes.name}>{option.name}</span>
                {option.detail && <span className={classes.detail}>{option.detail}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && !isLoading && !error && (
        <p className={classes.note} aria-hidden>
          {t('Nothing found')}
        </p>
      )}
    </>
  )
}

/** Recently used, pages, instances, rows of all products, and actions. */
export const Palette = ({ opened }: { opened: boolean }) => {
  useCloseOnLeave(palette.close)
  return (
    <PlainDialog
      opened={opened}
      onClose={palette.close}
      large
      size={600}
      yOffset="12vh"
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': t('Search or jump to') } }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <SearchBox />
    </PlainDialog>
  )
}
