// Runs the steps of a Dockerfile in a folder, without a container engine: each stage is a folder, FROM an image is an empty one, or this
// process's Node alone.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { basename, delimiter, dirname, join, matchesGlob, posix, relative } from 'node:path'
import { Copy, DockerfileParser, Env, From, type Instruction, JSONInstruction } from 'dockerfile-ast'

/** The parts of an image that this Dockerfile uses. Paths of RUN lines must be relative, because `/` is the machine's. */
export type Stage = {
  folder: string
  workdir: string
  env: Record<string, string>
  user: number
  command: string[]
  health: string[]
}

/** A path of the image as a path of this machine. */
export const pathIn = ({ folder, workdir }: Stage, path: string): string => join(folder, posix.resolve(workdir, path))

const stringsOf = (line: Instruction | undefined): string[] =>
  line instanceof JSONInstruction ? line.getJSONStrings().map((string) => string.getJSONValue()) : []

const ignored = (context: string) => {
  const patterns = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  return (file: string) => patterns.some((pattern) => matchesGlob(relative(context, file), pattern))
}

const bin = 'usr/local/bin'

const addNode = (folder: string): void => {
  mkdirSync(join(folder, bin), { recursive: true })
  symlinkSync(process.execPath, join(folder, bin, 'node'))
}

export const environmentOf = (stage: Stage): Record<string, string> => ({
  PATH: `${join(stage.folder, bin)}${delimiter}${process.env['PATH'] ?? ''}`,
  ...stage.env,
  HOME: stage.env['HOME'] ? pathIn(stage, stage.env['HOME']) : (process.env['HOME'] ?? '/'),
})

/** The registry of this machine and the certificates that it needs. */
const registry = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^npm_config_|^NODE_EXTRA_CA_CERTS$|_proxy$/i.test(name)),
)

export const runLine = (stage: Stage, line: string, args: Record<string, string> = {}): void => {
  execFileSync('/bin/sh', ['-euc', line], {
    cwd: pathIn(stage, '.'),
    env: { ...registry, ...environmentOf(stage), ...args },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const copy = (line: Copy, stage: Stage, stages: Map<string, Stage>, context: string): void => {
  const paths = line.getArguments().map((argument) => argument.getValue())
  const to = paths.pop() ?? ''
  const from = line.getFromFlag() ? stages.get(line.getFromFlag()?.getValue() ?? '') : undefined
  const isIgnored = from ? () => false : ignored(context)
  for (const name of paths) {
    const source = from ? pathIn(from, name) : join(context, name)
    const isFolder = statSync(source).isDirectory()
    const target = pathIn(stage, isFolder || !to.endsWith('/') ? to : join(to, basename(name)))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter: (file) => !isIgnored(file) })
  }
}

export const linesOf = (dockerfile: string): Instruction[] =>
  DockerfileParser.parse(readFileSync(dockerfile, 'utf8')).getInstructions()

/** The last stage after all steps, with `context` as the folder of `docker build`; the stages are folders in `folder`. */
export const runSteps = (dockerfile: string, context: string, folder: string, args: Record<string, string>): Stage => {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const line of linesOf(dockerfile)) {
    if (line instanceof From) {
      const root = mkdtempSync(join(folder, 'stage-'))
      if (line.getImage()?.startsWith('node:')) addNode(root)
      stage = { folder: root, workdir: '/', env: {}, user: 0, command: [], health: [] }
      stages.set(line.getBuildStage() ?? '', stage)
      continue
    }
    if (!stage) continue // ARG before the first FROM
    const content = line.getArgumentsContent() ?? ''
    const keyword = line.getKeyword()
    if (line instanceof Copy) copy(line, stage, stages, context)
    else if (line instanceof Env)
      for (const property of line.getProperties()) stage.env[property.getName()] = property.getValue() ?? ''
    else if (keyword === 'WORKDIR') {
      stage.workdir = posix.resolve(stage.workdir, content)
      mkdirSync(pathIn(stage, '.'), { recursive: true })
    } else if (keyword === 'RUN') runLine(stage, content, args)
    else if (keyword === 'USER') stage.user = Number(content.split(':')[0])
    else if (keyword === 'CMD') stage.command = stringsOf(line)
    else if (keyword === 'HEALTHCHECK') stage.health = JSON.parse(content.slice(content.indexOf('['))) as string[]
    else if (!['ARG', 'VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(keyword)) throw new Error(`${keyword} is not run here`)
  }
  if (!stage) throw new Error('no FROM')
  return stage
}
