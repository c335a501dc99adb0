import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { temporary } from '../support/ledger-places.ts';
import { Stacks } from '../support/stacks.ts';

/** Runs what somebody copied from a message, where `trueup` only says how it was called. */
function copied(message: string): { argv: string[][]; ran: boolean } {
  const folder = temporary();
  const tool = join(folder, 'trueup');
  writeFileSync(tool, '#!/bin/sh\nfor word; do printf "%s\\n" "$word" >> argv; done\n');
  chmodSync(tool, 0o755);
  const argv = [...message.matchAll(/`(trueup [^`]*)`/g)].map(([, command]) => {
    writeFileSync(join(folder, 'argv'), '');
    spawnSync('/bin/sh', ['-c', command!], { cwd: folder, env: { PATH: `${folder}:/usr/bin:/bin` } });
    return readFileSync(join(folder, 'argv'), 'utf8').trimEnd().split('\n');
  });
  return { argv, ran: existsSync(join(folder, 'ran')) };
}

const hostile = "x'; touch ran; echo '$HOME";

it('A command that a message suggests runs nothing else when it is copied into a shell, even if it contains hostile names.', async () => {
  // A name of the account.
  const stacks = await Stacks.start();
  const path = JSON.stringify(`/${hostile}`);
  const body = `projects: { site: { framework: vite, bulkRedirects: { ${path}: { destination: /new } } } }`;
  await stacks.apply('web', body);
  stacks.ledgers.set('growth', { ...stacks.ledgerOf('web'), stack: 'growth' });
  const { plan } = await stacks.plan('web', body);
  const hint = plan.diagnostics.find(({ address }) => address?.includes('touch ran'))!.hint!;
  expect(copied(hint)).toEqual({
    argv: [['ledger', 'forget', `projects/site/bulkRedirects/%2F${hostile}`]],
    ran: false,
  });

  // A name in a ledger that somebody put beside the others.
  const shell = new Shell();
  await shell.write({
    'web/trueup.yaml': 'stack: web\nplatform: { team: acme }\n',
    'trueup.workspace.yaml': 'stacks: [web]\n',
  });
  mkdirSync(join(shell.folder, '.trueup/ledger'), { recursive: true });
  const ledger = { ...stacks.ledgerOf('web'), stack: hostile };
  writeFileSync(join(shell.folder, '.trueup/ledger/other.json'), JSON.stringify(ledger));
  const { stderr } = await shell.run(['stacks']);
  expect(copied(stderr)).toEqual({ argv: [['destroy'], ['ledger', 'retire', hostile]], ran: false });

  // And so everywhere: what stands in a suggested command is quoted, or a name of our own.
  const own =
    /^(?:what|words|name|number|ci|codeHost|lookup\.name|flags|subject|firstJob\.batch|addressFormOf\(.*\)|isBoth \?.*)$/;
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));
  const bare = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\\`trueup ((?:[^`\\]|\\[^`])*)\\`/g)].flatMap(([, command]) =>
      [...command!.matchAll(/\$\{([^}]*)\}/g)]
        .map(([, expression]) => expression!)
        .filter((expression) => !/^shell(?:Word|Quoted)\(/.test(expression) && !own.test(expression))
        .map((expression) => `${file}: ${expression}`),
    ),
  );
  expect(bare).toEqual([]);

  // The same for an option alone, without its command.
  // Numbers, and names of our own or of whoever runs the command.
  const ownOptions =
    /^(?:deleted\.length|permission|ci|codeHost|diffStage|ledger\.generation|digest|firstJob\.batch|missing|lists\[0\])$/;
  // Passed to a program without a shell, or repeats what the operator passed.
  const noHints =
    /^src\/(?:git|fleet|ledger)\/|process-host\.ts|allowances\.ts|sources\/sources\.ts|write-export\.ts|call-input\.ts|api-call\.ts|open-guards\.ts|report-error\.ts|ci\/github\.ts/;
  const bareOptions = sources
    .filter((file) => !noHints.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/--[a-z][a-z-]*[ =]('?)\$\{([^}]*)\}/g)]
        .filter(
          ([, quote, expression]) =>
            quote !== '' || !(/^shell(?:Word|Quoted)\(/.test(expression!) || ownOptions.test(expression!)),
        )
        .map(([text]) => `${file}: ${text}`),
    );
  expect(bareOptions).toEqual([]);
});
