import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { openQueueProducer } from '#core/redis/connections.ts'
import { createProxyReporter } from './report.ts'
import { Spool } from './spool.ts'

test('without a connection a dead proxy does not count as reported, so that it is reported again', async () => {
  const redis = openQueueProducer({ redisQueueUrl: 'redis://127.0.0.1:9' })
  redis.on('error', () => undefined)
  onTestFinished(() => redis.disconnect())
  const reporter = createProxyReporter({ redis, tag: '' }, new Spool(tmpdir(), { maxBytes: 1 }), 'this')
  await expect(reporter.reportGone('dead')).rejects.toThrow()
})
