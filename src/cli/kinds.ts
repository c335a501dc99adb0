import type { Command } from 'commander';
import type { Configuration } from '../config/configuration.ts';
import { load } from '../config/load.ts';
import { closestName, quoted } from '../config/suggest.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { coverageOf, coverageText } from '../manual/coverage.ts';
import { kindList, kindListText, kindsNamed } from '../manual/kind-list.ts';
import { exampleOf, kindManual } from '../manual/kind-manual.ts';
import { kindManualText } from '../manual/kind-manual-text.ts';
import { requestsOf } from '../manual/kind-requests.ts';
import type { Address } from '../model/address.ts';
import { Problems } from '../model/diagnostic.ts';
import { jsonText } from '../report/json-value.ts';
import type { CommandRun } from './command-run.ts';
import { withColor } from './options.ts';
import { terminalFor } from './terminal.ts';

interface KindsOptions {
  json?: boolean;
  coverage?: boolean;
  color?: boolean;
}

/** The manual: what can stand in the YAML, derived from the kinds themselves. Needs no configuration and no account. */
export function kindsCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[name]', 'a kind, or its section in the YAML')
    .option('--coverage', 'show which API operations the kinds use')
    .option('--json', 'print one JSON document')
    .action(async (name: string | undefined, options: KindsOptions) => {
      const terminal = terminalFor(run, options);
      const kinds = kindsOf(provider.kinds);
      const print = <T extends object>(
        data: T,
        text: (data: T, style: { style: typeof terminal.outStyle }) => string,
      ) =>
        terminal.out(
          options.json
            ? jsonText({ formatVersion: '1.0', ...data })
            : text(data, { style: terminal.outStyle }),
        );
      if (options.coverage && name !== undefined)
        throw new Problems('cli/options', '--coverage covers all kinds and takes no name', {
          hint: `\`trueup kinds ${name}\` shows the requests of one kind`,
        });
      if (options.coverage) print(await coverage(provider, kinds), coverageText);
      else if (name === undefined)
        print({ kinds: kindList(kinds) }, (data, style) => kindListText(data.kinds, style));
      else {
        const kind = kindNamed(kinds, name);
        print(kindManual(kinds, kind, await exampleAddresses(kinds, kind)), kindManualText);
      }
    });
}

async function coverage({ operations, lookups, dayTwo }: Provider, kinds: Kinds) {
  const all = [...kinds.values()].map((kind) => ({ kind, requests: requestsOf(kind) }));
  return coverageOf(await operations(), all, lookups, { dayTwo: await dayTwo() });
}

/** A kind's example as a configuration of its own; the header that it lacks is put in front. */
export const loadExample = (kinds: Kinds, kind: Kind): Promise<Configuration> =>
  load({ kinds, cwd: '.', env: {}, text: `stack: example\n${exampleOf(kinds, kind)}\n` });

/** The addresses of what a kind's example declares of that kind. */
export async function exampleAddresses(kinds: Kinds, kind: Kind): Promise<Address[]> {
  if (kind.example === undefined) return [];
  const { resources } = (await loadExample(kinds, kind)).desired;
  return [...resources.values()]
    .filter((resource) => resource.kind === kind.name)
    .map(({ address }) => address);
}

function kindNamed(kinds: Kinds, name: string): Kind {
  const [found, ...others] = kindsNamed(kinds, name);
  if (!found) {
    const near = closestName(
      name,
      [...kinds.values()].flatMap(({ name, section }) => [name, section]),
    );
    throw new Problems('asked/name', `there is no kind ${quoted(name)}`, {
      hint: near === undefined ? '`trueup kinds` lists all' : `did you mean \`${near}\`?`,
    });
  }
  if (others.length > 0)
    throw new Problems('kinds/ambiguous', `${quoted(name)} is the section of several kinds`, {
      hint: [found, ...others].map(({ kind, path }) => `\`${kind}\` (${path})`).join(', or '),
    });
  return kinds.get(found.kind)!;
}
