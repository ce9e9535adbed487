<?php

declare(strict_types=1);

/** An expected failure. Its message is written for the billing system's administrator and holds no secret. */
final class ControlpanelFailure extends \RuntimeException
{
}
