import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/** The files in the guide, in its order: each fence begins with the name of its file. */
const files = [
  ...readFileSync('examples/guides/from-anchors-to-templates.md', 'utf8').matchAll(
    /^```\w+\n# (\S+)\n(.*?)^```/gms,
  ),
].map(([, name, text]) => ({ name: name!, text: text! }));

story('each step of the guide from anchors to templates plans to nothing', async () => {
  expect(files.map(({ name }) => name)).toEqual(['trueup.yaml', 'trueup.yaml', 'sites.csv', 'trueup.yaml']);
  const shell = new Shell();
  await shell.withTwin();
  initRepository(shell.folder);
  let rendered: string | undefined;
  for (const { name, text } of files) {
    await shell.write({ [name]: text });
    execFileSync('git', ['add', '--all'], { cwd: shell.folder });
    if (name !== 'trueup.yaml') continue;
    const first = rendered === undefined;
    if (first) await shell.run(['apply', '--auto-approve', '--settle', '0']);
    const plan = await shell.run(['plan', '--detailed-exitcode']);
    expect(plan.stdout).toContain('No changes.');
    expect(plan.status).toBe(0);
    const now = (await shell.run(['render', 'projects/**'])).stdout;
    // Written out, all steps say the same, in another order.
    const sorted = now.split('\n').sort().join('\n');
    expect(sorted).toBe(rendered ?? sorted);
    rendered = sorted;
  }
});
