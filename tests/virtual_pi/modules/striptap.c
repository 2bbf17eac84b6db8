// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * An SPI controller with nothing on its wires but a tap: what is sent to /dev/spidev0.0 is read from
 * /dev/striptap, always the last whole message. `hz` is how fast it was sent, `messages` how many there were;
 * while it is `unplugged`, nothing can be sent.
 */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>

static ulong messages;
module_param(messages, ulong, 0444);
static uint hz;
module_param(hz, uint, 0444);
static bool unplugged;
module_param(unplugged, bool, 0644);

static u8 sent[8192];
static size_t length;
static DEFINE_MUTEX(lock);

static int tap_message(struct spi_controller *controller, struct spi_message *message)
{
	struct spi_transfer *part;

	if (unplugged) {
		message->status = -EIO;
		spi_finalize_current_message(controller);
		return 0;
	}
	mutex_lock(&lock);
	length = 0;
	list_for_each_entry(part, &message->transfers, transfer_list) {
		size_t fits = min_t(size_t, part->len, sizeof(sent) - length);

		if (part->tx_buf) {
			memcpy(sent + length, part->tx_buf, fits);
			length += fits;
		}
		if (part->rx_buf)
			memset(part->rx_buf, 0, part->len);
		hz = part->speed_hz;
		message->actual_length += part->len;
	}
	messages++;
	mutex_unlock(&lock);
	message->status = 0;
	spi_finalize_current_message(controller);
	return 0;
}

static ssize_t tap_read(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	ssize_t copied;

	mutex_lock(&lock);
	copied = simple_read_from_buffer(to, count, offset, sent, length);
	mutex_unlock(&lock);
	return copied;
}

static const struct file_operations tap_files = { .owner = THIS_MODULE, .read = tap_read };
static struct miscdevice tap = { MISC_DYNAMIC_MINOR, "striptap", &tap_files, .mode = 0444 };
static struct platform_device *device;
static struct spi_controller *controller;

static int __init tap_init(void)
{
	/* One of the names that spidev goes by; a plain "spidev" it refuses. */
	struct spi_board_info strip = { .modalias = "dh2228fv", .max_speed_hz = 20000000 };
	int error;

	device = platform_device_register_simple("striptap", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	controller = spi_alloc_master(&device->dev, 0);
	error = controller ? 0 : -ENOMEM;
	if (error)
		goto no_controller;
	controller->bus_num = 0;
	controller->num_chipselect = 1;
	controller->mode_bits = SPI_CPOL | SPI_CPHA;
	controller->transfer_one_message = tap_message;
	error = spi_register_controller(controller);
	if (error) {
		spi_controller_put(controller);
		goto no_controller;
	}
	error = spi_new_device(controller, &strip) ? misc_register(&tap) : -ENODEV;
	if (!error)
		return 0;
	spi_unregister_controller(controller);
no_controller:
	platform_device_unregister(device);
	return error;
}

static void __exit tap_exit(void)
{
	misc_deregister(&tap);
	spi_unregister_controller(controller);
	platform_device_unregister(device);
}

module_init(tap_init);
module_exit(tap_exit);
MODULE_DESCRIPTION("An SPI bus whose bytes can be read back");
MODULE_LICENSE("Dual MIT/GPL");
