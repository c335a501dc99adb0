import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

test('slice', async () => {
  const shell = new Shell();
  await shell.withTwin();
  const before = `stack: shop
platform: { personal: true } # ours
variables: { node: { default: 22.x } }
templates:
  site: { devCommand: dev }
projects:
  # the shop
  web:
    $use: site
    framework: nextjs  # as agreed
    nodeVersion: "\${var.node}"
    env:
      LOG_LEVEL: { value: info, type: plain }
      GONE: { value: x, type: plain }
    ssoProtection: { deploymentType: all }
    firewall:
      rules:
        - name: a
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /a }] }]
          action: { mitigate: { action: deny } }
`;
  const outside = before
    .replace('nextjs', 'astro')
    .replace('"${var.node}"', '20.x')
    .replace('value: info', () => 'value: "$${secret.x}"')
    .replace('deploymentType: all', 'deploymentType: preview')
    .replace('$use: site', 'devCommand: other')
    .replace('value: /a', 'value: /b')
    .replace('      GONE: { value: x, type: plain }\n', '');
  await shell.write({ 'trueup.yaml': before });
  const one = await shell.run(['apply', '--auto-approve']);
  expect(one.all).toContain('');
  cpSync(join(shell.folder, '.trueup/ledger/shop.json'), join(shell.folder, 'kept.json'));
  await shell.write({ 'trueup.yaml': outside });
  console.log((await shell.run(['apply', '--auto-approve'])).all);
  cpSync(join(shell.folder, 'kept.json'), join(shell.folder, '.trueup/ledger/shop.json'));
  await shell.write({ 'trueup.yaml': before });
  console.log((await shell.run(['plan'])).all);
  console.log((await shell.run(['accept', '--all', '--auto-approve'])).all);
  console.log(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8'));
  console.log((await shell.run(['plan'])).all);
});
