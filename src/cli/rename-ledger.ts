import type { Command } from 'commander';
import { isStackName } from '../config/read-header.ts';
import { renamedHistory } from '../history/renamed-history.ts';
import { keyless } from '../ledger/proof.ts';
import { type LeasedLedger, renameLedger } from '../ledger/rename-ledger.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';
import { startedBy } from './about-run.ts';
import { type HeldLease, holdLease } from './hold-lease.ts';
import type { Run } from './host.ts';
import { jointHost } from './joint-host.ts';
import { ledgerLine } from './ledger-line.ts';
import { documentsFor, keyOf, storeFor } from './ledger-place.ts';
import { ledgerHelp, type StackOptions, withColor, withLockWait } from './options.ts';
import { terminalFor } from './terminal.ts';

type Options = Pick<StackOptions, 'ledger' | 'twin' | 'lockWait' | 'color' | 'unicode'>;

/** Adds `trueup ledger rename`. */
export function addRename(ledger: Command, run: Run): void {
  withLockWait(withColor(ledger.command('rename')))
    .argument('<old>', 'the name of the stack until now')
    .argument('<new>', 'its name from now on: NAME, or NAME@STAGE')
    .description('give the ledger of a stack to another name; no object changes')
    .option('--ledger <path>', ledgerHelp)
    .option('--twin', "the embedded twin's ledger")
    .action(async (old: string, name: string, options: Options) => {
      const wrong = [old, name].filter((one) => !isStackName(one));
      if (wrong.length > 0 || old === name) throw noName(wrong[0] ?? name, wrong.length > 0);
      const { host } = run;
      const terminal = terminalFor(run, options);
      const key = await keyOf(options, host);
      if (!key) throw new Problems([keyless]);
      const joint = jointHost(host);
      const leases: HeldLease[] = [];
      const leased = async (stack: string): Promise<LeasedLedger> => {
        const documents = documentsFor(stack, options, host);
        const store = await storeFor(stack, options, host, key, documents);
        const isSame = leases.length > 0 && documentsFor(old, options, host).place === documents.place;
        const own = { ...terminal, run: { ...run, host: joint.member() } };
        const lease = isSame ? leases[0]! : await holdLease(documents, options, own);
        if (!isSame) leases.push(lease);
        return { stack, documents, store, lease };
      };
      try {
        // In the order of their names, so that two that rename each other do not wait for each other.
        const both = new Map<string, LeasedLedger>();
        for (const stack of [old, name].sort()) both.set(stack, await leased(stack));
        const from = both.get(old)!;
        const to = both.get(name)!;
        const kept = await renameLedger(from, to, (ledger) =>
          renamedHistory({
            from: from.documents,
            to: to.documents,
            ledger,
            stack: name,
            key,
            by: startedBy(host.env),
            now: host.clock.now,
          }),
        );
        terminal.out(
          cleanLine(`Renamed: the ledger of ${old} is now that of ${name}. No object was touched.`),
        );
        const store = from.documents.place === to.documents.place ? from.store : to.store;
        terminal.err(ledgerLine(store, kept, host.clock.now()));
      } finally {
        for (const lease of leases) await lease.release();
      }
    });
}

const noName = (name: string, isWrong: boolean) =>
  new Problems([
    problem('ledger/name', isWrong ? `${name} is no name for a stack` : `both names are ${name}`, {
      hint: 'trueup ledger rename shop shop@production',
    }),
  ]);
