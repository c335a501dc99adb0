import { expect, it } from 'vitest';
import type { SideEffect } from '../../src/model/change.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { sideEffectsText } from '../../src/report/verified-text.ts';
import { plainStyle, ref } from './builders.ts';

const text = (...effects: SideEffect[]) => sideEffectsText(effects, { style: plainStyle });
const changed = (path: string, more: Partial<SideEffect>): SideEffect => ({
  type: 'changed',
  address: 'projects/web',
  kind: 'project',
  path,
  ...(more as object),
});

it('says nothing where nothing changed', () => {
  expect(text()).toBe('');
});

it('has a line for each thing that came, went or changed', () => {
  expect(
    text(
      { type: 'appeared', address: 'projects/web/env/A@preview', kind: 'projectEnvVar' },
      { type: 'gone', address: 'projects/web/domains/a.example.com', kind: 'projectDomain' },
      changed('nodeVersion', { before: '22.x', after: null }),
      changed('resourceConfig.fluid', { after: true }),
      changed('customEnvironmentId', { before: ref('projects/web/customEnvironments/qa'), after: null }),
      changed('buildCommand', { before: 'one\ntwo', after: '\u001b[31mred' }),
    ),
  ).toMatchInlineSnapshot(`
    "Also changed, by the platform or by somebody else:
      projects/web/env/A@preview: appeared
      projects/web/domains/a.example.com: is gone
      projects/web: nodeVersion: 22.x → null
      projects/web: resourceConfig.fluid: (unset) → true
      projects/web: customEnvironmentId: \${projects.web.customEnvironments.qa.id} → null
      projects/web: buildCommand: "one\\ntwo" → "\\u001b[31mred""
  `);
});

it('keeps secrets, and cuts to what differs', () => {
  const long = (name: string) => `${'a'.repeat(200)}${name}${'z'.repeat(200)}`;
  const lines = text(
    changed('value', { before: new Sealed('canary-1'), after: new Sealed('canary-2'), secret: true }),
    changed('buildCommand', { before: long('ONE'), after: long('TWO') }),
  );
  expect(lines).not.toContain('canary');
  expect(lines).toMatchInlineSnapshot(`
    "Also changed, by the platform or by somebody else:
      projects/web: value: (secret)
      projects/web: buildCommand: …aaaaaaaaaONEzzzzzzzzz… → …aaaaaaaaaTWOzzzzzzzzz…"
  `);
});

it('counts what is too much', () => {
  const effects = Array.from({ length: 23 }, (_, index) => changed(`f${index}`, { after: index }));
  const lines = text(...effects).split('\n');
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('  ... and 3 more');
});
