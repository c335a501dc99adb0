/*
 * The first files of a user, which `trueup init` writes: a configuration, and tests for it. Both can be used as they are, without an
 * account.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modeline } from '../app/editor-schema.ts';
import { findDefaultPaths } from '../config/find-files.ts';
import { type Host, resolvePath } from '../host.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { homeFolder } from '../stores/ledger-choice.ts';
import { sampleTests, sampleTestsName } from '../testing/sample-tests.ts';

/** The JSON Schema with which editors check the configuration. */
export const schemaPath = join(homeFolder, 'schema.json');

const placeholderAccount = '{ team: acme } # the slug of your team, or { personal: true }';

/** The first configuration, which `trueup apply --twin` can apply as it is. */
export const sampleStack = `${modeline(schemaPath)}
stack: example

platform: ${placeholderAccount}

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

/**
 * Writes the first configuration to trueup.yaml, with the default team of a user who has no personal account, and its tests beside it.
 * Returns false if there is a file with the name of the tests; that file stays. Throws `Problems` if there is a configuration under any of
 * the default names, because with a second one `plan` could not choose.
 */
export async function writeSampleFiles(team: string | undefined, host: Host): Promise<boolean> {
  const [existing] = findDefaultPaths(host.cwd);
  if (existing !== undefined) raise(existsProblem(existing));
  const account = `{ team: ${team} } # the default team of the user of your token`;
  const text = team === undefined ? sampleStack : sampleStack.replace(placeholderAccount, account);
  if (!(await writeNewFile(host, 'trueup.yaml', text))) raise(existsProblem('trueup.yaml'));
  return writeNewFile(host, sampleTestsName, sampleTests);
}

/** Writes a file in the working directory, and returns true. Returns false, without a change, if there is one with this name. */
async function writeNewFile(host: Host, name: string, text: string): Promise<boolean> {
  try {
    await writeFile(resolvePath(host, name), text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const existsProblem = (name: string) =>
  problem('init/exists', `\`${name}\` already exists and was left unchanged`, {
    hint: `${homeFolder} is written, with ${schemaPath} (for editors) and files for git; continue with \`trueup plan\``,
  });
