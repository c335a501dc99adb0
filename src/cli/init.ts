import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { home, makeHome } from './home.ts';
import { pathOn, type Run } from './host.ts';
import { withColor } from './options.ts';
import { modeline, writeSchema } from './schema.ts';
import { terminalFor } from './terminal.ts';

const schema = join(home, 'schema.json');

const sample = `${modeline(schema)}
stack: example

platform: { team: acme } # the slug of your team, or { personal: true }

variables:
  apex: { default: example.com }

projects:
  web:
    framework: nextjs
    env:
      LOG_LEVEL: info # in all targets, encrypted
      API_URL:
        - { value: "https://api.\${var.apex}", target: [production] }
        - { value: "https://staging.\${var.apex}", target: [preview, development] }
    domains:
      www.\${var.apex}: {}
      \${var.apex}: { redirect: "www.\${var.apex}", redirectStatusCode: 308 }
    firewall:
      firewallEnabled: true
      rules:
        - name: block-admin
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }]
          action: { mitigate: { action: deny } }

domains:
  \${var.apex}:
    records:
      - { type: A, name: "@", value: 76.76.21.21 }
      - { type: TXT, name: "@", value: "v=spf1 -all" }
`;

export function initCommand(command: Command, provider: Provider, run: Run): void {
  withColor(command).action(async (options: { color?: boolean }) => {
    const terminal = terminalFor(run, options);
    await makeHome(run.host);
    await writeSchema(provider, schema, run);
    await writeFile(pathOn(run.host, 'trueup.yaml'), sample, { flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        throw new Problems([
          problem('init/exists', 'there is a trueup.yaml already, and it was left alone', {
            hint: `${join(home, '.gitignore')} and ${schema} are written; go on with \`trueup plan\``,
          }),
        ]);
      },
    );
    terminal.out(
      [
        `Wrote trueup.yaml, .trueup/.gitignore and ${schema}, by which editors complete and check it.`,
        '',
        'Try it without an account:  trueup apply --twin',
        'With one: put your team into trueup.yaml, set TRUEUP_TOKEN, and run  trueup plan',
      ].join('\n'),
    );
  });
}
