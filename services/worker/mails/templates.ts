import { isoTime } from '#core/period.ts'
import { undoEmailHours } from '#schemas/account.ts'
import { formatNanoUsd } from '#schemas/cost-text.ts'
import type { MailContent, UsageTotals } from '#schemas/mails.ts'
import { plans } from '#schemas/plans.ts'
import { product } from '#schemas/product.ts'
import { alertMail } from './alert-mail.ts'
import type { Block, CreateLink, Mail } from './mail.ts'
import { notices } from './notices.ts'
import { momentOf, zoned } from './zoned-texts.ts'

/**
 * @param siteUrl public address of the product
 * @param linkSecret for a mail with a one-time link; it follows the `#`, so that no server logs it
 */
export function composeMail(content: MailContent, siteUrl: string, linkSecret = ''): Mail {
  const greeting = 'name' in content ? `Hello ${content.name},` : 'Hello,'
  const link = (text: string, path: string): Block => ({ link: text, url: new URL(path, siteUrl).href })
  return { greeting, ...compose(content, link, linkSecret) }
}

function compose(content: MailContent, link: CreateLink, linkSecret: string): Omit<Mail, 'greeting'> {
  switch (content.kind) {
    case 'security-alert':
      return {
        subject: `Security alert for your ${product.name} account`,
        blocks: [
          ...eventBlocks(content),
          {
            text: 'If this was you, there is nothing to do. If not, change your password at once and look through your sessions, API keys, secure tokens and management keys.',
          },
          link('Open your profile', '/profile'),
        ],
        footer: 'you get this because security alerts are on in your preferences, or were until now.',
      }
    case 'account-activity':
      return {
        subject: `Activity in your ${product.name} account`,
        blocks: [...eventBlocks(content), link('Open your profile', '/profile')],
        footer: 'you get this because email notifications are on in your preferences.',
      }
    case 'email-changed':
      return {
        subject: `The email address of your ${product.name} account was changed`,
        blocks: [
          { text: 'This address no longer belongs to your account.' },
          momentBlock(content, [['New address', content.newEmail]]),
          {
            text: `If this was you, there is nothing to do. If not, undo it within ${undoEmailHours} hours: the account gets this address back, every session of it ends, and a link to set a new password is mailed to you.`,
          },
          link('Undo the change', `/undo-email-change#${linkSecret}`),
        ],
        footer: 'you get this because this was the address of an account.',
      }
    case 'account-deleted':
      return {
        subject: `Your ${product.name} account was deleted`,
        blocks: [
          { text: 'Your account was deleted, with its API keys, secure tokens, request logs and subscription.' },
          momentBlock(content),
          { text: 'If this was not you, tell the operator of this server, and replace your API keys at the provider.' },
        ],
        footer: 'you get this because this was the address of an account.',
      }
    case 'plan-ending': {
      const { label } = plans[content.plan]
      return {
        subject: `Your ${label} ends on ${dateOf(content.planUntil, content.timezone)}`,
        blocks: [
          {
            text: `The time that you paid for ends on ${momentOf(content.planUntil, content.timezone)}. Nothing is charged by itself: to go on with the ${label}, pay for another month.`,
          },
          {
            text: `Without it the account goes back to the ${plans[content.planAfter].label} three days later. Nothing is deleted.`,
          },
          link('Renew the plan', '/pricing?pay=true'),
        ],
        footer: 'you get this because email notifications are on in your preferences.',
      }
    }
    case 'usage-report':
      return {
        subject: `Your ${product.name} week: ${requestsOf(content.totals.requests)}`,
        blocks: reportBlocks(content).concat(link('Open the analytics', '/analytics')),
        footer: 'you get this because usage reports are on in your preferences.',
      }
    case 'token-budget':
      return {
        subject:
          content.percent === 100
            ? `A secure token has used up its ${periods[content.period]} budget`
            : `A secure token has spent ${content.percent} % of its ${periods[content.period]} budget`,
        blocks: [
          {
            text:
              content.percent === 100
                ? 'What is left is less than most requests may cost: they are rejected until the budget renews or is raised.'
                : 'A secure token has spent most of its budget. Its requests are rejected once it is used up.',
          },
          {
            rows: [
              ['Token', content.token],
              ['Spent', `${formatNanoUsd(content.spentNanoUsd)} of ${formatNanoUsd(content.budgetNanoUsd)}`],
              ['Renews', momentOf(content.renewsAt, content.timezone)],
            ],
          },
          link('Open the secure tokens', '/secure-tokens'),
        ],
        footer: 'you get this because email notifications are on in your preferences.',
      }
    case 'alert':
      return alertMail(content, link)
    case 'confirm-email':
      return {
        subject: `Confirm your email address for ${product.name}`,
        blocks: [
          { text: `An account of ${product.name} was given this email address. If it is yours, confirm it:` },
          link('Confirm the address', `/confirm-email#${linkSecret}`),
          {
            text: 'The link works once, for three days. If the account is not yours, do nothing: no other mails come from it.',
          },
        ],
        footer: 'you get this because an account was given your address.',
      }
    case 'reset-password':
      return {
        subject: `Reset your ${product.name} password`,
        blocks: [
          { text: 'A new password was requested. To set one, open this link within a day:' },
          link('Set a new password', `/reset-password#${linkSecret}`),
          ...(content.username ? [{ rows: [['Username', content.username]] } satisfies Block] : []),
          {
            text: 'It works once, and signs you out everywhere. If you did not ask for it, do nothing: your password stays as it is.',
          },
        ],
        footer: 'you get this because your address is the confirmed one of an account.',
      }
  }
}

const periods = { day: 'daily', month: 'monthly' }

type Notice = Extract<MailContent, { kind: 'security-alert' | 'account-activity' }>

function eventBlocks({ kind, events, timezone }: Notice): Block[] {
  return events.flatMap(({ action, subject, ...moment }): Block[] => [
    { text: `${notices[kind][action] ?? action}.` },
    momentBlock({ ...moment, timezone }, subject ? [['What', subject]] : []),
  ])
}

type Moment = { at: string; clientAddress: string | null; timezone: string }

/** When and from where something happened, after further details. */
function momentBlock({ at, clientAddress, timezone }: Moment, details: [label: string, value: string][] = []): Block {
  const rows = [...details, ['When', momentOf(at, timezone)] satisfies [string, string]]
  return { rows: clientAddress ? [...rows, ['From', clientAddress]] : rows }
}

function reportBlocks({ from, until, timezone, totals, before, topModels }: Report): Block[] {
  const lastDay = isoTime(Date.parse(until) - 1)
  return [
    { text: `Your requests from ${dayOf(from, timezone)} to ${dayOf(lastDay, timezone)}, and in the week before:` },
    {
      rows: [
        ['Requests', compared(totals, before, ({ requests }) => whole(requests))],
        ['Success rate', compared(totals, before, successRate)],
        ['Cost', compared(totals, before, cost)],
        ...unpricedRow(totals),
      ],
    },
    ...(topModels.length > 0 ? [{ text: 'Most used models:' }, { rows: topModels.map(modelRow) }] : []),
  ]
}

const modelRow = ({ model, ...usage }: Report['topModels'][number]): [string, string] => [
  model,
  `${requestsOf(usage.requests)}, ${cost(usage)}`,
]

const unpricedRow = ({ unpricedRequests }: UsageTotals): [string, string][] =>
  unpricedRequests > 0 ? [['Without a known cost', requestsOf(unpricedRequests)]] : []

type Report = Extract<MailContent, { kind: 'usage-report' }>

const successRate = ({ requests, successes }: UsageTotals) => (requests === 0 ? 'none' : percent(successes / requests))

const compared = (now: UsageTotals, before: UsageTotals, show: (totals: UsageTotals) => string) =>
  `${show(now)} (week before: ${show(before)})`

/** For example `Nov 20, 2026`. */
const dateOf = (iso: string, timeZone: string): string => zoned({ dateStyle: 'medium' }, timeZone).format(new Date(iso))

/** For example `Monday, November 16`. */
const dayOf = (iso: string, timeZone: string): string =>
  zoned({ weekday: 'long', month: 'long', day: 'numeric' }, timeZone).format(new Date(iso))

const whole = (count: number): string => count.toLocaleString('en-US')

const requestsOf = (count: number): string => `${whole(count)} ${count === 1 ? 'request' : 'requests'}`

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const cost = ({ requests, unpricedRequests, costNanoUsd }: Omit<UsageTotals, 'successes'>): string =>
  requests > 0 && unpricedRequests === requests ? '–' : formatNanoUsd(costNanoUsd)
