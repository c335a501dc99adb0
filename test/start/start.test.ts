import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'trueup-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A copy of the package whose compiled code is changed. */
function packageWith(name: string, change: (compiled: string) => void): string {
  const copy = join(folder, name);
  cpSync(resolve('dist'), copy, { recursive: true });
  change(join(copy, `compiled-${process.version}-${process.arch}`));
  return copy;
}

const said = (at: string, args: string[], env: Record<string, string> = {}, flags: string[] = []) =>
  execFileSync(process.execPath, [...flags, join(at, 'trueup.cjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });

describe('the program starts', () => {
  const expected = said(resolve('dist'), ['kinds', 'domain']);

  it('with what V8 made of it when it was built', () => {
    const compiled = readdirSync(resolve('dist', `compiled-${process.version}-${process.arch}`));
    expect(compiled).toContain('program.cjs');
    expect(compiled.every((part) => readdirSync(resolve('dist')).includes(part))).toBe(true);
  });

  it('on another node than it was built with', () => {
    const other = packageWith('other-node', (compiled) => rmSync(compiled, { recursive: true }));
    expect(said(other, ['kinds', 'domain'])).toBe(expected);
    expect(said(other, ['kinds', 'domain'], { HOME: '/dev/null/nowhere' })).toBe(expected);
  });

  it('where V8 cannot use what it made: started with other flags, or broken', () => {
    const broken = packageWith('broken', (compiled) => {
      for (const part of readdirSync(compiled)) writeFileSync(join(compiled, part), 'not compiled code');
    });
    expect(said(broken, ['kinds', 'domain'])).toBe(expected);
    expect(said(resolve('dist'), ['kinds', 'domain'], {}, ['--stack-size=900'])).toBe(expected);
  });
});
