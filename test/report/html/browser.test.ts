import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { planHtml } from '../../../src/report/html/page.ts';
import { stacksHtml } from '../../../src/report/html/stacks-page.ts';
import { findBrowser, startBrowser } from '../../support/browser.ts';
import { all, oneStoryIn, sampled, sweepOnly } from '../../support/sweep.ts';
import { change, edit, operation, planOf } from '../builders.ts';
import { realistic } from '../realistic.ts';
import { tenPlans } from '../ten-plans.ts';
import { withFindings } from '../with-findings.ts';

const story = oneStoryIn(7);

const program = findBrowser();
interface Axe {
  violations: { id: string; nodes: { html: string }[] }[];
}
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(program === undefined)('the page in a browser', async () => {
  const plans =
    program === undefined
      ? undefined
      : { ...(await tenPlans()), 'every action and risk': realistic, findings: withFindings };
  let browser: Browser;
  let page: Page;
  const pages: Record<string, Page> = {};
  let opened: string;
  /** What the page should not do: ask for anything, complain, or open a dialog. */
  let unwanted: string[];
  beforeAll(async () => {
    browser = await startBrowser(program!);
  });
  afterAll(() => browser?.close());

  /** A page that is shown the plan which `open` was last given. */
  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext(options);
    await context.route('**/*', (route) => {
      const url = route.request().url();
      if (url === 'http://plan.test/') return route.fulfill({ body: opened, contentType: 'text/html' });
      unwanted.push(`request ${url}`);
      return route.abort();
    });
    const made = await context.newPage();
    made.on('console', (message) => unwanted.push(`console ${message.text()}`));
    made.on('pageerror', (error) => unwanted.push(`error ${error.message}`));
    made.on('dialog', (dialog) => unwanted.push(`dialog ${dialog.message()}`));
    return made;
  }

  /** Opens the page of a plan, in a tab as a new one: the page keeps nothing, and to start one costs more than most tests. */
  async function open(plan: Plan | string, options: { size?: [number, number]; javaScript?: boolean } = {}) {
    const { size: [width, height] = [1280, 720], javaScript = true } = options;
    opened = typeof plan === 'string' ? plan : planHtml(plan);
    pages[`${javaScript}`] ??= await newPage({ javaScriptEnabled: javaScript });
    page = pages[`${javaScript}`]!;
    await page.goto('about:blank');
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
    unwanted = [];
    await page.goto('http://plan.test/');
    if (javaScript)
      expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
        '',
        0,
        0,
      ]);
  }

  const shown = () => page.locator('.change:visible').count();
  const said = () => page.locator('#shown').textContent();
  const focused = () =>
    page.evaluate<string>(
      `document.activeElement.closest('.change')?.querySelector('.name').textContent ?? document.activeElement.id`,
    );
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
  const openEverything = () =>
    page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
  const violations = async (rules?: string[]) => {
    await page.evaluate(axe);
    const options = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) });
    const { violations } = await page.evaluate<Axe>(`axe.run(${options})`);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
  };

  // Some of them here; all of them with `npm run sweep`.
  describe.each(sampled(Object.keys(plans ?? {}), 1))('%s', (name) => {
    const plan = plans![name as keyof typeof plans];

    story('is accessible, light and dark, and asks for nothing', async () => {
      await open(plan);
      // All are made alike, and to look at 2,000 of them takes minutes.
      await page.evaluate(
        `document.querySelectorAll('.change:nth-child(n + 40)').forEach((one) => one.remove())`,
      );
      await openEverything();
      // In the suite the page of several stacks stands for it: it is made of the same.
      if (all) expect(await violations()).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(['color-contrast'])).toEqual([]);
      expect(unwanted).toEqual([]);
    });

    story('fits a phone, with everything open', async () => {
      await open(plan, { size: [360, 740] });
      if (name !== '2,000 changes') await openEverything();
      expect(await width()).toBe(360);
    });
  });

  story(
    'is accessible, fits a phone and can be searched with the plans of several stacks, and one that failed',
    async () => {
      const failed = [{ severity: 'error' as const, code: 'a/b', message: 'no such file' }];
      const reports = [
        { id: 'dns', path: 'dns', needs: [], plan: plans!.conflict },
        { id: 'shop', path: 'shop', needs: ['dns'], plan: realistic },
        { id: 'broken', path: 'broken', needs: [], failed },
      ];
      await open(
        stacksHtml(reports, undefined, { time: 0, run: { name: 'CI 1', url: 'https://ci.test/1' } }),
      );
      await page.fill('#search', 'block-admin');
      expect([await shown(), await said()]).toEqual([1, '1 of 16 changes']);
      await page.fill('#search', '');
      await openEverything();
      expect(await violations()).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      if (all) expect(await violations(['color-contrast'])).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect([await width(), unwanted]).toEqual([360, []]);
    },
  );

  story('searches, and says how many are left', async () => {
    await open(realistic);
    expect(await said()).toBe('15 changes');
    await page.fill('#search', 'WEBHOOKS deploys');
    expect([await shown(), await said()]).toEqual([1, '1 of 15 changes']);
    expect(await page.locator('section.changes:visible').count()).toBe(1);
    await page.fill('#search', 'nothing is called that');
    expect([await shown(), await said()]).toEqual([0, '0 of 15 changes']);
  });

  story('filters by action, risk and kind, all together', async () => {
    await open(realistic);
    const of = (key: 'action' | 'grade' | 'kind', ...values: string[]) =>
      realistic.changes.filter((one) => one.action !== 'noop' && values.includes(one[key])).length;
    await page.getByRole('checkbox', { name: /^create/ }).check();
    expect(await shown()).toBe(of('action', 'create'));
    await page.getByRole('checkbox', { name: /^delete/ }).check();
    expect(await shown()).toBe(of('action', 'create', 'delete'));
    await page.getByRole('checkbox', { name: /^irreversible/ }).check();
    expect(await shown()).toBe(1);
    for (const name of [/^create/, /^delete/, /^irreversible/])
      await page.getByRole('checkbox', { name }).uncheck();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('webhook');
    expect(await shown()).toBe(of('kind', 'webhook'));
    expect(of('kind', 'webhook')).toBeGreaterThan(0);
  });

  story('filters by cause, and gives what was changed outside sections of its own', async () => {
    const plan = planOf({
      changes: [
        change('update', 'a', { fields: [edit('x', 1, 2)] }),
        change('update', 'b', { fields: [{ ...edit('x', 1, 2), cause: 'drift' }] }),
        change('update', 'c', { fields: [{ ...edit('x', 1, 2), cause: 'conflict' }, edit('y', 1, 2)] }),
        change('create', 'd', { outside: true }),
      ],
      operations: [operation(['a', 'b', 'c', 'd'], [{ endpoint: 'PATCH /x' }])],
    });
    await open(plan);
    const titles = page.locator('section.changes:visible h2');
    expect(await titles.allTextContents()).toEqual([
      'CONFLICT: changed both outside and here 1',
      'Drift: changed outside, will be reverted 2',
      'Changes 1',
    ]);
    await page.getByRole('checkbox', { name: /^drift/ }).check();
    expect([await shown(), await said()]).toEqual([2, '2 of 4 changes']);
    await page.getByRole('checkbox', { name: /^conflict/ }).check();
    await page.getByRole('checkbox', { name: /^drift/ }).uncheck();
    expect([await titles.count(), await shown()]).toEqual([1, 1]);
  });

  story('filters by findings, and leads from a warning to its change', async () => {
    await open(withFindings);
    await page.getByRole('checkbox', { name: /^new note/ }).check();
    expect([await shown(), await said()]).toEqual([1, '4 of 8 changes']);
    await page.getByRole('checkbox', { name: /^none/ }).check();
    expect(await shown()).toBe(2);
    await page
      .locator('.problems')
      .getByRole('link', { name: /allow-office/ })
      .click();
    expect(await page.locator('.change:target, .change:focus-within').first().textContent()).toContain(
      'never reached',
    );
  });

  story('is there as a whole in a picture of it, unless it is long', async () => {
    await open(plans!['everything is created'], { size: [400, 300] });
    const rendered = await page.evaluate<boolean[]>(
      `[...document.querySelectorAll('.change .name')].map((one) => one.checkVisibility({ contentVisibilityAuto: true }))`,
    );
    expect(rendered.filter((isThere) => !isThere)).toEqual([]);
  });

  story('opens and closes all that is shown', async () => {
    await open(realistic);
    const openChanges = () => page.locator('.change[open]').count();
    await page.getByRole('checkbox', { name: /^create/ }).check();
    await page.getByRole('button', { name: 'Collapse all' }).click();
    const others = await openChanges();
    await page.getByRole('button', { name: 'Expand all' }).click();
    expect(await openChanges()).toBe(others + (await shown()));
  });

  story('needs no mouse', async () => {
    await open(plans!['everything is created']);
    await page.keyboard.press('/');
    expect(await focused()).toBe('search');
    await page.keyboard.type('env/');
    expect(await shown()).toBe(2);
    await page.keyboard.press('Enter');
    expect(await focused()).toContain('projects/web/env/A ');
    await page.keyboard.press('j');
    expect(await focused()).toContain('projects/web/env/B ');
    await page.keyboard.press('k');
    expect(await focused()).toContain('projects/web/env/A ');
    const outline = `getComputedStyle(document.activeElement).outlineStyle`;
    expect(await page.evaluate(outline)).toBe('solid');
    const change = page.locator('.change', { hasText: 'env/A' }).first();
    expect(await change.locator('dl').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    expect(await change.locator('dl').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await change.locator('dl').isVisible()).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect([await page.inputValue('#search'), await said()]).toEqual(['', '11 changes']);
  });

  story('puts differences side by side, or under each other', async () => {
    await open(plans!['long values'], { size: [1200, 900] });
    const [before, after] = [
      page.locator('.difference del').first(),
      page.locator('.difference ins').first(),
    ];
    const beside = async () => (await before.boundingBox())!.x < (await after.boundingBox())!.x - 200;
    expect(await beside()).toBe(true);
    await page.getByRole('checkbox', { name: 'side by side' }).uncheck();
    expect(await beside()).toBe(false);
  });

  story('follows a link to where a request is written out, even if that is filtered away', async () => {
    await open(plans!['everything is created']);
    const link = page.locator('.sent a').first();
    const target = page.locator((await link.getAttribute('href'))!);
    const here = `document.querySelector('.sent a').closest('.change').querySelector('.name').textContent`;
    await page.fill('#search', await page.evaluate<string>(here));
    await page.getByRole('button', { name: 'Expand all' }).click();
    expect(await target.isVisible()).toBe(false);
    await link.click();
    // The page follows its address once it has changed.
    await target.waitFor({ state: 'visible' });
    expect(await target.getAttribute('open')).not.toBeNull();
  });

  story('is dark where that is preferred, and light on paper, with everything open', async () => {
    const light = async () =>
      (await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor'))
        .match(/\d+/g)!
        .every((part) => Number(part) > 200);
    await open(plans!['everything is created']);
    expect(await light()).toBe(true);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await light()).toBe(false);
    expect(await page.locator('dl').first().isVisible()).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    expect(await light()).toBe(true);
    expect(await page.locator('dl').first().isVisible()).toBe(true);
    expect(await page.locator('.toolbar').isVisible()).toBe(false);
  });

  story('can be read and opened with script off', async () => {
    await open(plans!['everything is created'], { javaScript: false });
    expect(await page.locator('.toolbar').isVisible()).toBe(false);
    expect(await shown()).toBe(11);
    const change = page.locator('.change').first();
    expect(await change.locator('dl').isVisible()).toBe(false);
    await change.locator('summary').first().click();
    expect(await change.locator('dl').isVisible()).toBe(true);
    expect(unwanted).toEqual([]);
  });

  it('shows hostile text as text', async () => {
    await open(plans!['hostile names']);
    await openEverything();
    const text = (await page.locator('main').innerText())!;
    for (const name of [
      '</script><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '@everyone <!-- trueup -->',
      'ünïcode 漢字 🙂',
    ])
      expect(text).toContain(name);
    expect(await page.locator('img, iframe, script:not(body > script:last-child)').count()).toBe(0);
    expect(unwanted).toEqual([]);
  });

  /** Variables of ten projects that are not alike, each project's sent as one batch. */
  const variables = (number: number) => {
    const addresses = Array.from({ length: number }, (_, at) => `projects/site-${at % 10}/env/VAR_${at}`);
    return planOf({
      changes: addresses.map((address, at) =>
        change('update', address, {
          kind: 'envVar',
          parent: `projects/site-${at % 10}`,
          fields: [edit('value', `old ${at}`, `new ${at}`)],
        }),
      ),
      operations: Array.from({ length: 10 }, (_, site) => {
        const own = addresses.filter((_, at) => at % 10 === site);
        return operation(own, [{ endpoint: 'PATCH /x', body: own.map((key) => ({ key })) }]);
      }),
    });
  };
  const matches = () =>
    page.evaluate<string[]>(`[...CSS.highlights.get('found')].map((range) => range.toString())`);

  story('finds a change and not its siblings of a batch, and marks what was found', async () => {
    await open(variables(30));
    await page.fill('#search', 'site-3/env/var_23');
    expect([await shown(), await said()]).toEqual([1, '1 of 30 changes']);
    expect(await matches()).toEqual(['site-3/env/VAR_23']);
    expect(await page.locator('.outline li:visible').count()).toBe(2);
    await page.fill('#search', '');
    expect([await shown(), await matches()]).toEqual([30, []]);
  });

  story('keeps search and filters in its address: for who is sent it, for reload and for Back', async () => {
    await open(realistic);
    await page.getByRole('checkbox', { name: /^delete/ }).check();
    await page.locator('#search').pressSequentially('web');
    await expect.poll(() => new URL(page.url()).hash).toBe('#q=web&action=delete');
    const address = page.url();
    const found = await shown();
    expect(found).toBeLessThan(2);
    await page.reload();
    expect([await shown(), await page.inputValue('#search')]).toEqual([found, 'web']);
    await page.goBack();
    expect([await shown(), await page.inputValue('#search')]).toEqual([2, '']);
    await page.goBack();
    expect([await shown(), page.url()]).toEqual([15, 'http://plan.test/']);
    await page.goto('about:blank');
    await page.goto(address);
    expect([await shown(), await page.inputValue('#search')]).toEqual([found, 'web']);
  });

  story(
    'has an outline: beside the changes, folded on a phone; its links leave the search as it is',
    async () => {
      await open(variables(30));
      const link = page.locator('.outline a', { hasText: 'projects/site-7' });
      expect((await link.boundingBox())!.x).toBeLessThan((await page.locator('main').boundingBox())!.x);
      await page.fill('#search', 'var');
      await link.click();
      expect(new URL(page.url()).hash).toMatch(/^#q=var&at=changes-\d+$/);
      expect(await shown()).toBe(30);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await link.isVisible()).toBe(false);
      await page.locator('.outline summary').click();
      expect(await link.isVisible()).toBe(true);
    },
  );

  story('tells the values of a closed row, and not twice of an open one', async () => {
    await open(variables(30));
    const row = page.locator('.change').first();
    expect(await row.locator('.peek').innerText()).toMatch(/^value\s+old 0 → ?\s*(becomes)?\s*new 0$/);
    await row.locator('summary').first().click();
    expect(await row.locator('.peek').isVisible()).toBe(false);
  });

  sweepOnly('that little is laid out of 2,000 is tried here')(
    'lays out as little of 3,000 changes as of 300, at first and for a search that finds them all',
    async () => {
      const laidOut = `[...document.querySelectorAll('.change .name')].filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length`;
      const numbers: number[][] = [];
      for (const number of [300, 3000]) {
        await open(variables(number));
        const first = await page.evaluate<number>(laidOut);
        await page.fill('#search', 'var');
        expect(await said()).toBe(`${number} changes`);
        await page.locator('.change summary').first().click();
        numbers.push([first, await page.evaluate<number>(laidOut)]);
      }
      // Around the edge of the screen the browser may lay out a few rows more or less.
      for (const each of numbers.flat()) expect(each).toBeLessThan(60);
    },
  );

  story('lays out only what is seen of 2,000 changes', async () => {
    await open(plans!['2,000 changes']);
    const rendered = (at: number) =>
      page.evaluate<boolean>(
        `document.querySelectorAll('.change .name')[${at}].checkVisibility({ contentVisibilityAuto: true })`,
      );
    const last = (await page.locator('.change').count()) - 1;
    expect([await rendered(0), await rendered(last)]).toEqual([true, false]);
    await page.fill('#search', 'web-19/env/V98');
    expect([await shown(), await said()]).toEqual([1, '1 of 2000 changes']);
  });
});
