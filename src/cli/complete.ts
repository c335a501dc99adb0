import { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { ledgerStore } from '../ledger/ledger-store.ts';
import { dynamicKinds } from './command-line.ts';
import type { Run } from './host.ts';
import { documentsFor, isFile } from './ledger-place.ts';
import { loadConfiguration, sourcesFor, stagesOf } from './load-configuration.ts';
import { type StackOptions, withConfiguration, withSources } from './options.ts';

/** The command that completion scripts call for words that only the configuration knows. */
export function completeCommand(command: Command, provider: Provider, run: Run): void {
  command
    .argument('[kind]')
    .argument('[words...]', 'the words of the command line, after `--`')
    .allowUnknownOption()
    .action(async (kind: string | undefined, words: string[]) => {
      for (const word of await wordsOf(provider, kind, words, run)) run.host.stdout.write(`${word}\n`);
    });
}

/**
 * The words for a place of the command line, of which `words` stand before it: the configuration that those name is looked at.
 * Nothing but files is read, and whatever is wrong there is none of a completion's business: then there are no words.
 */
async function wordsOf(
  provider: Provider,
  kind: string | undefined,
  words: string[],
  run: Run,
): Promise<string[]> {
  if (kind === dynamicKinds[1]) return provider.kinds.map(({ name }) => name).sort();
  const { actions, lookups } = await provider.dayTwo();
  if (kind === dynamicKinds[4]) return [...actions.keys()].sort();
  if (kind === dynamicKinds[5]) return [...lookups.keys()].sort();
  if (kind === dynamicKinds[6])
    return [...new Set([...lookups.keys(), ...provider.kinds.map(({ name }) => name)])].sort();
  if (kind === dynamicKinds[3]) return (await import('./explain.ts')).explainedCodes();
  if (kind !== dynamicKinds[0] && kind !== dynamicKinds[2]) return [];
  try {
    // The option whose value is asked for has none yet.
    const isOpen = kind === dynamicKinds[2] && words.at(-1) === '--stage';
    const options = configurationIn(isOpen ? words.slice(0, -1) : words);
    if (kind === dynamicKinds[2]) return await stagesOf(provider, options, run);
    const { desired } = await loadConfiguration(provider, options, run, {
      sources: sourcesFor(options, run.host),
      isLook: true,
    });
    // What is only in the ledger is what `--delete` and `ledger forget` are about. For a word nobody waits for a remote.
    const held = isFile(options, run.host)
      ? await ledgerStore(documentsFor(desired.stack, options, run.host), { key: undefined })
          .read()
          .catch(() => undefined)
      : undefined;
    return [...new Set([...desired.resources.keys(), ...Object.keys(held?.entries ?? {})])].sort();
  } catch {
    return [];
  }
}

/** The options of a line that is not finished: what is not about the configuration is passed over. */
function configurationIn(words: string[]): StackOptions {
  const command = withSources(withConfiguration(new Command()))
    .option('--ledger <path>')
    .option('--twin')
    .argument('[words...]')
    .allowUnknownOption()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false);
  return command.parse(words, { from: 'user' }).opts();
}
