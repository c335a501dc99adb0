import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Command, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { formatYaml, isRefusedEnv, load, Source } from '../config/index.ts';
import { type ExportedFile, exportFiles } from '../export/export-files.ts';
import { type Exported, exportLive } from '../export/export-live.ts';
import { readOnly } from '../http/read-only.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Provider, Scope } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { emptyLedger } from '../model/ledger.ts';
import { observe } from '../observe/observe.ts';
import { matcherOf } from '../plan/select.ts';
import { modeline } from './editor-schema-file.ts';
import { home } from './home.ts';
import { collect, number, withColor } from './options.ts';
import { type AccountOptions, openAccount } from './session.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface ExportOptions extends AccountOptions {
  team?: string;
  personal?: boolean;
  stack?: string;
  target?: string[];
  exclude?: string[];
  out?: string;
  outDir?: string;
  force?: boolean;
  color?: boolean;
}

export function exportCommand(program: Command, provider: Provider): void {
  withColor(program.command('export'))
    .description('write the account as YAML that plans to no change')
    .option('--team <slug>', 'whose account (default: as trueup.yaml says)')
    .addOption(new Option('--personal', "the token's personal account").conflicts('team'))
    .option('--stack <name>', 'the name of the stack (default: the name of the team)')
    .option('--target <address-glob>', 'only this; `projects/web/**` is what is in it; repeatable', collect)
    .option('--exclude <address-glob>', 'all but this; repeatable', collect)
    .option('--out <file>', 'write one file (default: print it)')
    .addOption(new Option('--out-dir <folder>', 'write a file for each area').conflicts('out'))
    .option('--force', 'replace files that are there')
    .option('--twin', 'use the embedded twin in .trueup/ in place of the platform')
    .option('--base-url <url>', 'where the API answers (or TRUEUP_BASE_URL)')
    .option('--token-file <path>', 'read the token from a file (or set TRUEUP_TOKEN)')
    .option('--max-wait <seconds>', 'the longest wait for a rate limit', number(0), 900)
    .option('--verbose', 'also print every request, without secrets')
    .action((options: ExportOptions) => exportAccount(provider, options));
}

async function exportAccount(provider: Provider, options: ExportOptions): Promise<void> {
  const terminal = terminalFor(options);
  const scope = await scopeOf(provider, options);
  const account = await openAccount(provider, scope, options, terminal);
  try {
    const kinds = kindsOf(provider.kinds);
    const live = await observe(
      { stack: '', resources: new Map(), inputs: [], folders: [] },
      emptyLedger('', '', ''),
      kinds,
      readOnly(account.connection.send),
      { also: (kind, parent) => isOnTheWay(kind, parent, options.target) },
    );
    const isTarget = options.target ? matcherOf(options.target) : () => true;
    const isExcluded = matcherOf(options.exclude ?? []);
    const exported = exportLive({
      live,
      kinds,
      isRefusedEnv,
      isChosen: (address) => isTarget(address) && !isExcluded(address),
    });
    const platform = 'team' in scope ? { team: account.owner.slug } : { personal: true };
    const stack = options.stack ?? account.owner.slug;
    const line = await schemaLine(options);
    await deliver(
      exported,
      formatted(
        exportFiles(exported, {
          stack,
          platform,
          isSplit: options.outDir !== undefined,
          ...(line === undefined ? {} : { modeline: line }),
        }),
      ),
      options,
      terminal,
    );
    if ([...live.frozen.keys()].some((id) => !live.refused.has(id))) process.exitCode = 1;
  } finally {
    await account.close();
  }
}

/** Whether a collection may hold what a glob names: up to where the glob becomes one, the ways are the same. */
function isOnTheWay({ section }: Kind, parent: string | undefined, targets: string[] | undefined): boolean {
  const place = parent === undefined ? section : `${parent}/${section}`;
  return (
    !targets ||
    targets.some((glob) => {
      const [fixed] = /^[^*?[{(!]*/.exec(glob)!;
      return place.startsWith(fixed) || `${fixed}/`.startsWith(`${place}/`) || fixed.startsWith(place);
    })
  );
}

/** The account as the flags say, else as a configuration here says. */
async function scopeOf({ kinds }: Provider, { team, personal }: ExportOptions): Promise<Scope> {
  if (team !== undefined) return { team };
  if (personal) return { personal: true };
  const { platform } = await load({ kinds: kindsOf(kinds), cwd: process.cwd(), env: process.env });
  if (platform) return platform;
  throw new Problems([
    problem('export/account', 'nothing says whose account it is', {
      hint: 'name it with --team SLUG, or --personal',
    }),
  ]);
}

/** The line for editors, where `init` or `schema` has put a schema here. */
async function schemaLine({ out, outDir }: ExportOptions): Promise<string | undefined> {
  const folder = outDir ?? (out === undefined ? undefined : dirname(out));
  const schema = join(home, 'schema.json');
  if (folder === undefined || !(await stat(schema).catch(() => undefined))) return undefined;
  return modeline(relative(folder, schema)).replace(/^# /, '');
}

/** As `trueup fmt` would have it. */
const formatted = (files: ExportedFile[]): ExportedFile[] =>
  files.map(({ name, text }) => ({ name, text: formatYaml(new Source(name, text)).text ?? text }));

async function deliver(
  exported: Exported,
  files: ExportedFile[],
  { out, outDir, force }: ExportOptions,
  terminal: Terminal,
): Promise<void> {
  if (out === undefined && outDir === undefined)
    terminal.out(files.map(({ text }) => text.trimEnd()).join('\n---\n'));
  else {
    const placed = files.map(({ name, text }) => ({ path: out ?? join(outDir!, name), text }));
    const there = [];
    for (const { path } of placed) if (await stat(path).catch(() => undefined)) there.push(path);
    if (there.length > 0 && !force)
      throw new Problems([
        problem(
          'export/exists',
          `${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} there already, and nothing was written`,
          {
            hint: 'name another place, or replace them with --force',
          },
        ),
      ]);
    for (const { path, text } of placed) {
      await mkdir(dirname(path), { recursive: true });
      await writeFileAtomic(path, text);
    }
    terminal.err(`Wrote ${placed.map(({ path }) => path).join(', ')}.`);
  }
  terminal.err(summary(exported));
}

function summary({ count, secrets, notes }: Exported): string {
  const lines = [`${count} ${count === 1 ? 'object' : 'objects'} exported.`];
  if (secrets.size > 0)
    lines.push(
      `Secrets are not written. Before you apply, set ${secrets.size} in the environment: ${[...secrets.keys()].join(', ')}`,
    );
  if (notes.length > 0) lines.push('Not in it:', ...notes.map((note) => `  ${note}`));
  return lines.join('\n');
}
