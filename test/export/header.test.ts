import { expect, it } from 'vitest';
import { toExportedFiles } from '../../src/export/export-files.ts';
import { newWorld } from '../support/scene.ts';

it('a header says what the account is called, and nothing in that is an expression', async () => {
  const nothing = {
    sections: [],
    otherFiles: [],
    secrets: new Map(),
    secretUsers: new Map(),
    notes: [],
    incomplete: [],
    count: 0,
    valueCounts: { written: 0, kept: 0 },
    objectCount: 0,
    converted: new Set<string>(),
    leftOut: new Map<string, string>(),
    newAddresses: new Map(),
  };
  const team = 'acme ${var.x} $${y}';
  const [file] = toExportedFiles(nothing, { stack: 'shop', platform: { team }, isSplit: false });
  const world = await newWorld();
  const { platform, desired } = await world.configure({ 'trueup.yaml': file!.text });
  expect([platform, desired.stack]).toEqual([{ team }, 'shop']);
});
