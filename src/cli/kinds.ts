import type { Command } from 'commander';
import { openRuleBook } from '../calibration/rule-book.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { coverageOf, coverageText } from '../manual/coverage.ts';
import { kindList, kindListText } from '../manual/kind-list.ts';
import { kindManual } from '../manual/kind-manual.ts';
import { exampleAddresses, kindManualText, requireKind } from '../manual/kind-reference.ts';
import { requestsOf } from '../manual/kind-requests.ts';
import { raise } from '../model/diagnostic.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { withColor } from './options.ts';

interface KindsOptions {
  json?: boolean;
  coverage?: boolean;
  color?: boolean;
}

/** Declares `trueup kinds`, the manual of the YAML: all kinds, one kind with its fields, or the API operations that the kinds use. */
export function kindsCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[name]', 'a kind, or its section in the YAML')
    .option('--coverage', 'show which API operations the kinds use')
    .option('--json', 'print one JSON document')
    .action(async (name: string | undefined, options: KindsOptions) => {
      const terminal = terminalFor(run, options);
      const style = { style: terminal.outStyle };
      const kinds = kindsOf(provider.kinds);
      const print = (data: object, text: () => string) =>
        terminal.out(options.json ? jsonText({ formatVersion: '1.0', ...data }) : text());
      if (options.coverage && name !== undefined)
        raise('cli/options', '--coverage covers all kinds and takes no name', {
          hint: `\`trueup kinds ${name}\` shows the requests of one kind`,
        });
      if (options.coverage) {
        const coverage = await measureCoverage(provider, kinds);
        return print(coverage, () => coverageText(coverage, style));
      }
      if (name === undefined) {
        const list = kindList(kinds);
        return print({ kinds: list }, () => kindListText(list, style));
      }
      const kind = requireKind(kinds, name);
      const manual = kindManual(kinds, kind, {
        exampleAddresses: await exampleAddresses(kinds, kind),
        extraOperations: await provider.extraOperations(),
        rules: (await openRuleBook(provider)).rulesOf(kind.name),
      });
      print(manual, () => kindManualText(manual, style));
    });
}

/** Returns which operations of the platform's API the kinds, actions and lookups use, for those who decide what to support next. */
async function measureCoverage(provider: Provider, kinds: Kinds) {
  const requests = [...kinds.values()].map((kind) => ({ kind, requests: requestsOf(kind) }));
  return coverageOf(await provider.operations(), requests, provider.lookups, {
    actionsAndLookups: await provider.actionsAndLookups(),
    extraOperations: await provider.extraOperations(),
  });
}
