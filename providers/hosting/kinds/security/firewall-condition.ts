import * as z from 'zod';
import { emptyCounts, openEnum } from '#kind';
import { telling } from '../telling.ts';

const types =
  'host path method header query cookie target_path route raw_path ip_address region protocol scheme environment domain_environment user_agent geo_continent geo_country geo_country_region geo_city geo_as_number ja4_digest ja3_digest rate_limit_api_id server_action bot_name bot_category bot_status bot_protection shared_condition traffic_source ruleset';
const withKey = ['header', 'query', 'cookie'];
const withList = ['inc', 'ninc'];

/** Operators that compare with nothing: the platform wants an empty value, and answers one in several ways. */
export const withoutValue = ['ex', 'nex'];

/** Describes one condition that a request must meet for a firewall rule to match. */
export const condition = () =>
  telling(
    z
      .strictObject({
        type: openEnum(types.split(' ')).describe('The part of the request to compare.'),
        op: openEnum('re eq neq ex nex inc ninc pre suf sub gt gte lt lte list'.split(' ')).describe(
          'The comparison: `eq` equal, `inc` one of a list, `pre`/`suf`/`sub` prefix, suffix or substring, `re` a pattern, `ex` exists.',
        ),
        neg: z.boolean().optional().describe('Whether to negate the condition.'),
        key: z.string().optional().describe('The name of the header, query parameter or cookie.'),
        // An empty text is something to compare with.
        value: emptyCounts(z.union([z.string(), z.number(), z.array(z.string())]))
          .optional()
          .describe('The value to compare with; a list for `inc` and `ninc`, none for `ex` and `nex`.'),
      })
      .superRefine(({ type, op, key, value }, { addIssue }) => {
        const say = (member: string, message: string) =>
          addIssue({ code: 'custom', path: [member], message });
        if (withKey.includes(type) && !key)
          say('key', `a condition on ${type} needs a \`key\`: the name of the ${type}`);
        if (withoutValue.includes(op)) {
          if (value !== undefined && value !== '') say('value', `\`${op}\` takes no value`);
        } else if (value === undefined) say('value', `\`${op}\` needs a \`value\``);
        else if (withList.includes(op) !== Array.isArray(value) && op !== 'list')
          say(
            'value',
            Array.isArray(value) ? `\`${op}\` compares with one value` : `\`${op}\` compares with a list`,
          );
      }),
  );
