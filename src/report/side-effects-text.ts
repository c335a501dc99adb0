import type { SideEffect } from '../model/change.ts';
import { cleanLine } from './clean.ts';
import { firstLines } from './count.ts';
import { cutPair, displayWidth } from './cut.ts';
import { show, showName } from './show.ts';
import { spellOutDifferences } from './spell-out-differences.ts';
import { plainly, type Style } from './style.ts';

const maxSideEffects = 20;
const minValueWidth = 12;

/**
 * Lists side effects: differences after a run that the run did not write, one on each line. Used after an apply so that people notice
 * changes by the platform or by somebody else. Empty if there are none.
 */
export function sideEffectsText(effects: SideEffect[], { style }: { style: Style }): string {
  if (effects.length === 0) return '';
  const lines = effects.map((effect) => `  ${sideEffectLine(effect, style)}`);
  const text = [
    style.warn('Also changed, by the platform or by somebody else:'),
    ...firstLines(lines, maxSideEffects, (more) => style.quiet(`  ${more}`)),
  ].join('\n');
  return plainly(text, style);
}

/** Formats a side effect: `projects/web: appeared`, or `projects/web: framework: nextjs → astro` with both values cut to the line. */
function sideEffectLine(effect: SideEffect, style: Style): string {
  const address = cleanLine(effect.address);
  if (effect.type !== 'changed')
    return `${address}: ${effect.type === 'gone' ? style.remove('is gone') : style.add('appeared')}`;
  const label = `${address}: ${showName(effect.path, 'plain')}: `;
  if (effect.secret) return `${label}(secret)`;
  const valueWidth = Math.floor((style.width - 2 - displayWidth(label) - 3) / 2);
  const [beforeText, afterText] = spellOutDifferences(effect.before, effect.after).map((value) =>
    show(value),
  );
  const [before, after] = cutPair(beforeText!, afterText!, Math.max(minValueWidth, valueWidth));
  return `${label}${style.remove(before)} ${style.quiet('→')} ${style.add(after)}`;
}
