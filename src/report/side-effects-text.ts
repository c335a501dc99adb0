import type { SideEffect } from '../model/side-effect.ts';
import { cleanLine } from './clean.ts';
import { cutPair, displayWidth } from './cut.ts';
import { show, showName } from './show.ts';
import { plainly, type Style } from './style.ts';

const most = 20;
const narrowest = 12;

/** What changed beside what a run did, a line each; no text where nothing did. */
export function sideEffectsText(effects: SideEffect[], { style }: { style: Style }): string {
  if (effects.length === 0) return '';
  const more = effects.length - most;
  const text = [
    style.warn('Changed as well, by the platform or by somebody else:'),
    ...effects.slice(0, most).map((effect) => `  ${line(effect, style)}`),
    ...(more > 0 ? [style.quiet(`  ... and ${more} more`)] : []),
  ].join('\n');
  return plainly(text, style);
}

function line(effect: SideEffect, style: Style): string {
  const address = cleanLine(effect.address);
  if (effect.type !== 'changed')
    return `${address}: ${effect.type === 'gone' ? style.remove('is gone') : style.add('appeared')}`;
  const label = `${address}: ${showName(effect.path, 'plain')}: `;
  if (effect.secret) return `${label}(secret)`;
  const room = Math.floor((style.width - 2 - displayWidth(label) - 3) / 2);
  const [before, after] = cutPair(show(effect.before), show(effect.after), Math.max(narrowest, room));
  return `${label}${style.remove(before)} ${style.quiet('→')} ${style.add(after)}`;
}
